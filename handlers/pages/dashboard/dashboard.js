// The page at /. It has all of its views from the beginning, so that each can be shown when the connection is lost.

import { run } from "../shell/shell.js";
import Data from "./data.js";
import Faults from "./faults.js";
import Requests from "./requests.js";
import Sandboxes from "./boxes.js";
import Snapshots from "./snapshots.js";
import Time from "./time.js";

const ofLists = /** @type {[string, string][]} */ ([
  ["/", "filter"], ["j", "next row"], ["k", "previous row"], ["Enter", "open it"], ["Escape", "close it"],
]);

run([
  { name: "requests", title: "Requests", Show: Requests, keys: [...ofLists, ["p", "pause and go on"], ["c", "copy it as curl"]] },
  { name: "data", title: "Data", Show: Data, keys: [...ofLists, ["n", "add a record"]] },
  { name: "faults", title: "Faults", Show: Faults },
  { name: "time", title: "Time", Show: Time },
  { name: "snapshots", title: "Snapshots", Show: Snapshots },
  { name: "sandboxes", title: "Sandboxes", Show: Sandboxes, ofServer: true, keys: [["/", "find a sandbox"]] },
]);
