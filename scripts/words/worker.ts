import { parentPort, workerData } from 'node:worker_threads';
import { mistakesIn } from './grammar.ts';

parentPort!.postMessage(await mistakesIn(workerData));
