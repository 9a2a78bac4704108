import { read, send, sendText } from "./control-api.js";
import { element, find } from "./elements.js";
import { attempt, onPress } from "./notice.js";

const file = find("load-file", HTMLInputElement);
const question = find("reset-question", HTMLDialogElement);

onPress(find("save", HTMLButtonElement), save);
onPress(find("load", HTMLButtonElement), async () => file.click());
onPress(find("reset", HTMLButtonElement), async () => question.showModal());
onPress(find("reset-no", HTMLButtonElement), async () => question.close());
onPress(find("reset-yes", HTMLButtonElement), async () => {
  question.close();
  await send("POST", "/reset");
});
file.addEventListener("change", () => attempt(load));

async function save() {
  /** @type {{ at: string }} */
  const snapshot = await read("/snapshot");
  const address = URL.createObjectURL(new Blob([JSON.stringify(snapshot)]));
  const name = `simulator-${snapshot.at.slice(0, 19).replaceAll(":", "-")}.json`;
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

async function load() {
  const [chosen] = file.files ?? [];
  if (chosen === undefined) return;
  const text = await chosen.text();
  // The same file, changed meanwhile, may be chosen again.
  file.value = "";
  await sendText("PUT", "/snapshot", text);
}
