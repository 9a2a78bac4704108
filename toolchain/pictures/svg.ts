import type { Span } from "./screen.ts";

/** The colours of a terminal. */
interface Palette {
  readonly ground: string;
  readonly edge: string;
  readonly text: string;
  /** The first eight colours; the bright ones are drawn alike. */
  readonly colours: readonly [string, string, string, string, string, string, string, string];
}

/** Each has a contrast of at least 4.5 between every colour and the ground. */
export const palettes = {
  light: {
    ...{ ground: "#ffffff", edge: "#d0d7de", text: "#1f2328" },
    colours: [
      ...(["#1f2328", "#b3202c", "#116329", "#7d4e00"] as const),
      ...(["#0550ae", "#8250df", "#0b5e6b", "#57606a"] as const),
    ],
  },
  dark: {
    ...{ ground: "#0d1117", edge: "#30363d", text: "#e6edf3" },
    colours: [
      ...(["#8b949e", "#ff7b72", "#56d364", "#e3b341"] as const),
      ...(["#79c0ff", "#d2a8ff", "#56d4dd", "#b1bac4"] as const),
    ],
  },
} satisfies Record<string, Palette>;

const [characterWidth, lineHeight, margin, fontSize] = [7.8, 18, 16, 13];

/** Draws the lines of a terminal. `title` says what is to be seen, for those who can't see it. */
export function drawTerminal(
  lines: readonly (readonly Span[])[],
  { ground, edge, text, colours }: Palette,
  title: string,
): string {
  const columns = Math.max(...lines.map((line) => widthOf(line)));
  const width = Math.ceil(columns * characterWidth) + 2 * margin;
  const height = lines.length * lineHeight + 2 * margin;
  const drawn = lines.flatMap((line, row) => {
    let column = 0;
    return line.map((span) => {
      const place = { x: margin + column * characterWidth, y: margin + (row + 0.75) * lineHeight };
      column += widthOf([span]);
      return drawSpan(span, place, colours);
    });
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${ground}" stroke="${edge}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${fontSize}" fill="${text}">`,
    ...drawn.filter((span) => span !== ""),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function widthOf(line: readonly Span[]): number {
  return line.reduce((sum, { text }) => sum + Array.from(text).length, 0);
}

/** Each span says how wide it is, so that columns stay columns with any font. */
function drawSpan(
  { text, style }: Span,
  { x, y }: { x: number; y: number },
  colours: Palette["colours"],
): string {
  if (text.trim() === "") return "";
  const width = (Array.from(text).length * characterWidth).toFixed(1);
  const fill = style.colour === undefined ? "" : ` fill="${colours[style.colour % 8]}"`;
  const weight = style.isBold ? ' font-weight="bold"' : "";
  const line = style.isUnderlined ? ' text-decoration="underline"' : "";
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${width}" xml:space="preserve"${fill}${weight}${line}>${escapeXml(text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
