// The page at /. The header loads before the view, and the other views load after it, so that they can be shown even
// when the connection is lost.

import { last, later } from "../shell/later.js";
import { run } from "../shell/shell.js";

const Requests = later(() => import("./requests.js"));
const Data = later(() => import("./data.js"));
const Faults = later(() => import("./faults.js"));
const Time = later(() => import("./time.js"));
const Snapshots = later(() => import("./snapshots.js"));
const Sandboxes = later(() => import("./sandboxes.js"));
const Drop = last(() => import("./drop.js"));

run([
  { name: "requests", title: "Requests", key: "r", Show: Requests },
  { name: "data", title: "Data", key: "d", Show: Data },
  { name: "faults", title: "Faults", key: "f", Show: Faults },
  { name: "time", title: "Time", key: "t", Show: Time },
  { name: "snapshots", title: "Snapshots", key: "s", Show: Snapshots },
  { name: "sandboxes", title: "Sandboxes", key: "b", Show: Sandboxes, ofServer: true },
], Drop);
