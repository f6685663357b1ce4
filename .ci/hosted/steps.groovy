// Runs a Jenkinsfile without Jenkins: its commands in the working directory, and the petstore of PETSTORE_BINARY in the place of its
// container. A container is found by the name of its link there, and by its address here.
//
//     groovy steps.groovy JENKINSFILE

/** The variables of containers, by -e NAME=VALUE in the options of docker run. */
def variables(String options) {
  options.findAll(/-e \w+=\S+/).collectEntries { it.substring(3).split('=', 2) as List }
}

def start(Map env, String arguments) {
  def builder = new ProcessBuilder([System.getenv('PETSTORE_BINARY'), '--addr', '127.0.0.1:0', '--exit-with-stdin', *arguments.split()])
  builder.environment().putAll(env)
  builder.redirectError(ProcessBuilder.Redirect.INHERIT).start()
}

class Image {
  Script steps
  Map inside

  def withRun(String options, String arguments, Closure body) {
    def process = steps.start(steps.variables(options), arguments)
    inside.address = process.inputStream.newReader().readLine() - 'petstore listening on '
    try {
      body([id: 'petstore'])
    } finally {
      process.outputStream.close()
      process.waitFor()
    }
  }

  def inside(String options, Closure body) {
    assert options.contains('--link petstore:petstore')
    inside.env = steps.variables(options.replace('http://petstore:8080', inside.address))
    body()
  }
}

def state = [env: [:]]
binding.setVariable('env', [BUILD_TAG: 'jenkins-shop-1', STORE_IMAGE: 'petstore-sandbox'])
binding.setVariable('scm', 'git')
binding.setVariable('docker', [image: { new Image(steps: this, inside: state) }])
binding.setVariable('node', { Closure body -> body() })
binding.setVariable('checkout', { assert it == 'git' })
binding.setVariable('archiveArtifacts', { Map how -> println "archived: ${new FileNameFinder().getFileNames('.', how.artifacts)}" })
binding.setVariable('sh', { String command ->
  println "+ $command"
  def builder = new ProcessBuilder('sh', '-e', '-c', command).inheritIO()
  builder.environment().putAll(state.env)
  if (builder.start().waitFor() != 0) throw new Exception("$command failed")
})
new GroovyShell(binding).evaluate(new File(args[0]))
