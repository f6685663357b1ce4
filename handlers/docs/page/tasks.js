// The most frequent tasks, and the operation for each.

/** @type {[task: string, id: string][]} */
export const tasks = [
  ["Search, sort and page", "listPets"],
  ["Add a record", "createPet"],
  ["Prevent a lost update", "updatePet"],
  ["Repeat a POST safely", "createOrder"],
  ["Send a key", "listMessages"],
  ["Follow every change", "streamEvents"],

  ["Begin each test with the same data", "resetSandbox"],
  ["Give each test a sandbox of its own", "createSandbox"],
  ["Wait for a request instead of sleeping", "listRequests"],
  ["Make an operation slow, or let it fail", "createFault"],
  ["Travel past a sunset", "setClock"],
  ["Save the data, to restore it later", "keepSnapshot"],
];
