import { isDeepStrictEqual } from "node:util";

/** How a character is written. */
export interface Style {
  /** One of the terminal's sixteen colours. @default the colour of plain text */
  readonly colour: number | undefined;
  readonly isBold: boolean;
  readonly isUnderlined: boolean;
}

/** A piece of a line in one style. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

interface Cell {
  readonly character: string;
  readonly style: Style;
}

/** Plain text. */
export const plain: Style = { colour: undefined, isBold: false, isUnderlined: false };

const blank: Cell = { character: " ", style: plain };

/** What a program may write to a terminal: a command, or a character. */
const pieces = new RegExp(`${"\\u001b"}\\[([0-9;?]*)([A-Za-z])|([\\s\\S])`, "gu");

/**
 * What a terminal of this many columns shows in the end: a program that draws a tree goes back and writes over its own
 * lines. One thing is prettier than in a terminal: a long line goes on in the next one with a whole word. Only what the
 * Pulumi CLI uses is understood; anything else throws an error, so that no picture is wrong.
 */
export function readScreen(output: string, columns: number): Span[][] {
  const lines: Cell[][] = [[]];
  let [row, column, style] = [0, 0, plain];
  const currentLine = () => {
    while (lines.length <= row) lines.push([]);
    return lines[row] ?? [];
  };
  for (const [whole, parameters = "", command, character = ""] of output.matchAll(pieces)) {
    if (character === "\n") row += 1;
    else if (character === "\r") column = 0;
    else if (command === undefined) {
      if (column === columns) {
        const word = character === " " ? [] : takeLastWord(currentLine());
        [row, column] = [row + 1, word.length];
        currentLine().push(...word);
        if (character === " ") continue;
      }
      const line = currentLine();
      while (line.length < column) line.push(blank);
      line[column++] = { character, style };
    } else if (command === "m") style = restyle(style, parameters);
    else if (command === "A") row = Math.max(0, row - Number(parameters || 1));
    else if (command === "K") currentLine().length = Math.min(column, currentLine().length);
    else if (command === "J") lines.length = row + 1;
    else if (!/[hl]/.test(command)) throw new Error(`not understood: ${JSON.stringify(whole)}`);
  }
  return lines.map(joinCells);
}

/** Takes the last word off a line. */
function takeLastWord(line: Cell[]): Cell[] {
  return line.splice(line.findLastIndex(({ character }) => character === " ") + 1);
}

function restyle(before: Style, parameters: string): Style {
  const [code = 0, mode, index] = parameters.split(";").map(Number);
  if (code === 38 && mode === 5 && index !== undefined) return { ...before, colour: index };
  if (code === 0) return plain;
  if (code === 1) return { ...before, isBold: true };
  if (code === 4) return { ...before, isUnderlined: true };
  if (code === 39) return { ...before, colour: undefined };
  if (code >= 30 && code <= 37) return { ...before, colour: code - 30 };
  if (code >= 90 && code <= 97) return { ...before, colour: code - 82 };
  throw new Error(`not understood: the style ${parameters}`);
}

function joinCells(cells: readonly Cell[]): Span[] {
  const spans: { text: string; style: Style }[] = [];
  for (const { character, style } of cells) {
    const last = spans.at(-1);
    if (last !== undefined && isDeepStrictEqual(last.style, style)) last.text += character;
    else spans.push({ text: character, style });
  }
  return spans;
}

/** The text of a line, without its styles. */
export function textOf(line: readonly Span[]): string {
  return line
    .map(({ text }) => text)
    .join("")
    .trimEnd();
}
