/** The balancer as a process of its own: its port, then its servers. Ends with its parent. */
import { startBalancer } from './balancer.ts';

const [port, ...servers] = process.argv.slice(2);
await startBalancer(servers, Number(port));
console.log('The balancer is ready');
process.stdin.on('end', () => process.exit()).resume();
