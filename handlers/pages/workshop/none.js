// What the pages of a workshop show where there is none.

import { html } from "../library/preact.js";
import { server } from "../shell/api.js";
import { Empty } from "../shell/components.js";

export const NoWorkshop = () => html`<${Empty} title="This server holds no workshop">
  <p>Start one, which everybody in the room can reach, with</p><p><code>petstore --addr 0.0.0.0:8080 --workshop</code></p>
  <p>It prints where attendees join, where the wall is, and the key of the wall.</p>
  <p><a class="button" href=${server.href}>Go to the dashboard</a></p><//>`;
