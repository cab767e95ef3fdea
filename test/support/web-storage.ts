/** As a browser's: its items are its own properties. */
export function webStorage(items: Map<string, string>): object {
  return new Proxy(Object.create(null), {
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, name) =>
      ({
        getItem: (key: string) => items.get(key) ?? null,
        setItem: (key: string, text: string) => items.set(key, text),
        removeItem: (key: string) => items.delete(key),
      })[name as string],
  });
}
