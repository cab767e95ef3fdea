/** A guide's Markdown as HTML: headings with anchors, links within the site, images as files. */
import { Marked, type RendererObject, type Tokens } from 'marked';
import { linked } from '../guide-list.ts';
import { escapeHtml, Html } from './html.ts';

export interface Heading {
  readonly id: string;
  readonly depth: number;
  readonly text: string;
  /** What stands under it up to the next heading, without marks. */
  readonly body: string;
}

export interface RenderedGuide {
  readonly main: Html;
  readonly headings: readonly Heading[];
}

export interface Links {
  /** The path of a file of the project; undefined where it is not on this site. */
  readonly hrefOf: (file: string) => string | undefined;
}

/** `file`: the guide's path in the project's folder, which its links start from. */
export function renderGuide(file: string, markdown: string, { hrefOf }: Links): RenderedGuide {
  const marked = new Marked();
  // Generated files say in a comment that they are.
  const tokens = marked.lexer(markdown.replaceAll(/<!--.*?-->\n?/gs, ''));
  const headings = listHeadings(tokens);
  let next = 0;
  const renderer: RendererObject = {
    heading({ depth, tokens }) {
      const { id } = headings[next++] as Heading;
      const text = this.parser.parseInline(tokens);
      const words = depth === 1 ? text : `<a href="#${id}">${text}</a>`;
      return `<h${depth} id="${id}">${words}</h${depth}>\n`;
    },
    link({ href, tokens: words }) {
      const text = this.parser.parseInline(words);
      const target = resolveTarget(file, href, hrefOf);
      return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
    },
    image({ href, text }) {
      const target = resolveTarget(file, href, hrefOf) ?? href;
      return `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}">`;
    },
    // May be wider than a phone; then it is scrolled, also by keyboard.
    code({ text }) {
      return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
    },
  };
  marked.use({ renderer });
  const text = namedTables(marked.parser(tokens))
    // A corner heads nothing.
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<table', '<div class="wide" tabindex="0"><table')
    .replaceAll('</table>', '</table></div>');
  return { main: new Html(text), headings };
}

/** Markdown has no captions: a table is called what the heading above it says. */
function namedTables(text: string): string {
  let above = '';
  return text.replaceAll(/<h\d id="([^"]+)"|<table>/g, (whole, id: string | undefined) => {
    above = id ?? above;
    return id === undefined ? `<table aria-labelledby="${above}">` : whole;
  });
}

function resolveTarget(file: string, href: string, hrefOf: Links['hrefOf']) {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const target = hrefOf(linked(file, path));
  return target === undefined || fragment === undefined ? target : `${target}#${fragment}`;
}

function listHeadings(tokens: readonly Tokens.Generic[]): Heading[] {
  const headings: { id: string; depth: number; text: string; body: string }[] = [];
  const taken = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plain(token.text);
      headings.push({ id: createId(text, taken), depth: token.depth, text, body: '' });
    } else {
      const last = headings.at(-1);
      if (last !== undefined) last.body += ` ${plain(token.raw)}`;
    }
  }
  return headings;
}

/** What a heading is linked by. As on GitHub, so that a link works there and here. */
export function createAnchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Of headings that say the same, the later ones have a number. */
function createId(text: string, taken: Map<string, number>): string {
  const id = createAnchor(text);
  const before = taken.get(id) ?? 0;
  taken.set(id, before + 1);
  return before === 0 ? id : `${id}-${before}`;
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|#>]|-{3,}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
