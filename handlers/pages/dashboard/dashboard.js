// The page at /. It has all of its views from the beginning, so that each can be shown when the connection is lost.

import { run } from "../shell/shell.js";
import Data from "./data.js";
import Faults from "./faults.js";
import Requests from "./requests.js";
import Sandboxes from "./boxes.js";
import Snapshots from "./snapshots.js";
import Time from "./time.js";

run([
  { name: "requests", title: "Requests", Show: Requests },
  { name: "data", title: "Data", Show: Data },
  { name: "faults", title: "Faults", Show: Faults },
  { name: "time", title: "Time", Show: Time },
  { name: "snapshots", title: "Snapshots", Show: Snapshots },
  { name: "sandboxes", title: "Sandboxes", Show: Sandboxes, ofServer: true },
]);
