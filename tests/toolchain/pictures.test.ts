import { expect, test } from "vitest";
import { plain, readScreen, textOf } from "../../toolchain/pictures/screen.ts";
import { drawTerminal, palettes } from "../../toolchain/pictures/svg.ts";
import { readPage } from "../support/docs.ts";

const show = (output: string, columns = 20) => readScreen(output, columns).map(textOf);

test("what a program writes over is not seen", () => {
  expect(show("one\r\ntwo long\r\n\u001b[2Athree\r\n\u001b[Ktwo\r\n")).toEqual(["three", "two"]);
});

test("a long line goes on in the next one, with a whole word", () => {
  expect(show("the price of this order\r\nend", 12)).toEqual(["the price of", "this order", "end"]);
});

test("colours and weights are kept", () => {
  const [line = []] = readScreen("\u001b[38;5;2m\u001b[1mgreen\u001b[0m plain", 20);
  expect(line).toEqual([
    { text: "green", style: { ...plain, colour: 2, isBold: true } },
    { text: " plain", style: plain },
  ]);
});

test("what is not understood is refused, so that no picture is wrong", () => {
  expect(() => readScreen("\u001b[5D", 20)).toThrow('not understood: "\\u001b[5D"');
  expect(() => readScreen("\u001b[7m", 20)).toThrow("not understood: the style 7");
});

test("a picture has the text as text, also for those who can't see it", () => {
  const picture = drawTerminal([[{ text: "a <b>", style: plain }]], palettes.light, "a <b>");
  expect(picture).toContain("<title>a &lt;b&gt;</title>");
  expect(picture).toContain(">a &lt;b&gt;</text>");
});

test.each(["light", "dark"])("the %s picture holds no key, no path and no address", (ground) => {
  const { text } = readPage(`docs/pictures/preview-${ground}.svg`);
  const shown = text.replaceAll("http://www.w3.org/2000/svg", "");
  expect(shown).not.toMatch(/demo-key|https?:|127\.0\.0\.1|\/(tmp|home|root|dev)\b/);
});
