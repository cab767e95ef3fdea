import { userInfo } from 'node:os';
import type { Actor, Catalog } from '../../catalog/catalog.ts';
import type { Parts } from '../verb.ts';

type Use<Value> = (catalog: Catalog) => Promise<Value>;

/** Opens the catalog for one verb; the service may be running. Fails if there is no catalog. */
export function withCatalog<Value>(parts: Parts, use: Use<Value>): Promise<Value> {
  return closing(parts.openCatalog(), use);
}

/** The same, but creates the catalog if there is none. */
export function withNewCatalog<Value>(parts: Parts, use: Use<Value>): Promise<Value> {
  return closing(parts.makeCatalog(), use);
}

/** Whoever runs the command line, by the user of the system. */
export function operator(): Actor {
  return { kind: 'COMMAND_LINE', userName: userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user's number may have no name.
    return `user ${process.getuid?.()}`;
  }
}

async function closing<Value>(opening: Promise<Catalog>, use: Use<Value>): Promise<Value> {
  const catalog = await opening;
  try {
    return await use(catalog.as(operator()));
  } finally {
    await catalog.close();
  }
}
