/** HTML out of template literals: what is put in is escaped, unless it is HTML itself. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Html | undefined | readonly (string | Html)[];

export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(String.raw({ raw: strings }, ...pieces.map(textOf)));
}

function textOf(piece: Piece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (Array.isArray(piece)) return piece.map(textOf).join('');
  return escapeHtml(String(piece));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A text of the catalogues, with HTML for the value that it names. */
export function filled(text: string, name: string, value: Html): Html {
  const [before = '', after = ''] = text.split(`{${name}}`);
  return html`${before}${value}${after}`;
}

/** What the interface says of itself, in whatever language it is read around. */
export function inEnglish(content: Html): Html {
  return html`<div lang="en">${content}</div>`;
}

/** The little Markdown that descriptions use: paragraphs, `code` and *emphasis*. */
export function prose(text: string | undefined): Html {
  const paragraphs = (text ?? '').split('\n\n').filter((paragraph) => paragraph !== '');
  return html`${paragraphs.map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

export function inline(text: string): Html {
  const marked = escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*([^*]+)\*/g, '<em>$1</em>');
  return new Html(marked);
}
