/**
 * What the engine is given of the service's environment. The rest stays outside, the secrets above
 * all: an environment can be read from the process, and from what it leaves when it crashes.
 */
const given = [
  // The zone of the engine's log.
  'TZ',
  // Where a system keeps the libraries that Node needs.
  'LD_LIBRARY_PATH',
  // See scripts/run.mjs.
  'MALLOC_ARENA_MAX',
  'NODE_COMPILE_CACHE',
];

export function engineEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(given.map((name) => [name, environment[name]])),
    // Else an installed program runs in a process that it forks, which a signal does not reach.
    CLICKHOUSE_WATCHDOG_ENABLE: '0',
  };
}
