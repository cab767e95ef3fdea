/** The hosts of a cluster as a node names them: the same for all, each beginning with another. */
export function hostsOfNode(urls: readonly string[], node: number): string[] {
  const first = node % urls.length;
  return [...urls.slice(first), ...urls.slice(0, first)];
}
