// The page at /.

import { run } from "../shell/shell.js";

run([
  { name: "requests", title: "Requests", load: () => import("./requests.js") },
  { name: "data", title: "Data", load: () => import("./data.js") },
  { name: "faults", title: "Faults", load: () => import("./faults.js") },
  { name: "time", title: "Time", load: () => import("./time.js") },
  { name: "snapshots", title: "Snapshots", load: () => import("./snapshots.js") },
  { name: "sandboxes", title: "Sandboxes", load: () => import("./boxes.js") },
]);
