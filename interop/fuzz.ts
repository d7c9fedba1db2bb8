import { parseArgs } from 'node:util';
import { fuzz } from './src/fuzz.ts';

// Feeds mutated inputs to the parsers of untrusted bytes: npm run fuzz:parsers -- --count 10000000 --seed 7

const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } });
const [count, seed] = [Number(values.count ?? 1_000_000), Number(values.seed ?? 1)];
const start = process.cpuUsage();
const { faults, ...figures } = fuzz({ count, seed, mostMs: 500 });
const { user, system } = process.cpuUsage(start);
console.log(JSON.stringify({ seed, ...figures, cpuSeconds: Math.round((user + system) / 1e6) }, null, 2));
for (const fault of faults) console.log(JSON.stringify(fault, null, 2));
if (faults.length > 0) process.exitCode = 1;
