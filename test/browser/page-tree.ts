/** A page as a screen reader meets it: the tree that the browser itself makes for such programs. */
import type { Page } from '../support/browser.ts';

const operated = [
  ...['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio'],
  ...['slider', 'spinbutton', 'switch', 'tab', 'Date', 'DisclosureTriangle', 'Video'],
];
const shown = ['table', 'figure', 'image', 'progressbar', 'meter', 'heading', 'dialog'];
/** What is said as the reader comes into it. */
const parts = ['region', 'article', 'form', 'group', 'navigation', 'dialog'];
/** What a link stands in may say where it leads (WCAG 2.4.4); what a button does, it says itself. */
const contexts = ['row', 'listitem', 'paragraph', 'term', 'definition'];

interface TreeNode {
  readonly nodeId: string;
  readonly parentId?: string;
  readonly childIds?: readonly string[];
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly properties?: readonly {
    readonly name: string;
    readonly value: { readonly value?: unknown };
  }[];
}

/** What has no name, is called as another beside it, or is out of its order; in words. */
export async function faultsOfTree(page: Page): Promise<string[]> {
  const tree = await readTree(page);
  const isModal = tree.some(({ isOpenDialog }) => isOpenDialog);
  const nameless = tree.filter(
    ({ role, name, isCaptioned }) =>
      (operated.includes(role) || shown.includes(role)) && name === '' && !isCaptioned,
  );
  const faults = nameless.map(({ role }) => `a ${role} has no name`);
  // So the browser calls a table whose cells it takes for a layout.
  if (tree.some(({ role }) => role === 'LayoutTable')) faults.push('a table is not read as one');

  const known = new Map<string, string>();
  for (const { nodeId, role, name, above, url } of tree) {
    const isInContext = role === 'link' && above.some((outer) => contexts.includes(outer.role));
    if (!operated.includes(role) || isInContext) continue;
    const part = above.findLast((outer) => parts.includes(outer.role) && outer.name !== '');
    const one = JSON.stringify([role, name, part?.nodeId]);
    // Links to one place are one.
    const target = url || nodeId;
    const other = known.get(one) ?? target;
    if (other !== target) faults.push(`another ${role} is called "${name}" in "${part?.name}"`);
    known.set(one, target);
  }

  const levels = tree.filter(({ role }) => role === 'heading').map(({ level }) => level);
  // The headings of a dialog go on from those of the page, which is out of reach meanwhile.
  const first = isModal ? 2 : 1;
  const isJump = (level: number, index: number) => level > (levels[index - 1] ?? first - 1) + 1;
  if (levels[0] !== first || levels.some(isJump)) faults.push(`headings are of levels ${levels}`);
  const mains = tree.filter(({ role }) => role === 'main').length;
  const tops = levels.filter((level) => level === 1).length;
  if (!isModal && (mains !== 1 || tops !== 1)) faults.push(`main: ${mains}, h1: ${tops}`);
  return faults;
}

interface ReadNode {
  readonly nodeId: string;
  readonly role: string;
  readonly name: string;
  readonly level: number;
  /** Of a link. */
  readonly url: string;
  readonly isOpenDialog: boolean;
  readonly isCaptioned: boolean;
  /** From the page to the nearest. */
  readonly above: readonly ReadNode[];
}

/** In the order in which it is read, without what the browser itself puts into a date or a film. */
async function readTree(page: Page): Promise<ReadNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: TreeNode[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const childrenOf = ({ childIds = [] }: TreeNode) => childIds.flatMap((id) => byId.get(id) ?? []);
  const walk = (node: TreeNode, above: readonly ReadNode[]): ReadNode[] => {
    const property = (wanted: string) =>
      node.properties?.find(({ name }) => name === wanted)?.value.value;
    const one: ReadNode = {
      nodeId: node.nodeId,
      role: String(node.role?.value ?? ''),
      name: String(node.name?.value ?? '').trim(),
      url: String(property('url') ?? ''),
      level: Number(property('level') ?? 0),
      isOpenDialog: property('modal') === true,
      isCaptioned: childrenOf(node).some(({ role }) => role?.value === 'Figcaption'),
      above,
    };
    const isWhole = ['Date', 'Video'].includes(one.role);
    const within = isWhole ? [] : childrenOf(node).flatMap((child) => walk(child, [...above, one]));
    return node.ignored ? within : [one, ...within];
  };
  return nodes.filter(({ parentId }) => parentId === undefined).flatMap((root) => walk(root, []));
}
