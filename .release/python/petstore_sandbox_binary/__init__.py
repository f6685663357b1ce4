"""The program petstore, in the directory of this package. petstore_sandbox finds it here."""
