import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchHome } from './home.ts';
import { type CpuByName, cpuBetween, ownCpuUs, sumOf } from './processes.ts';
import type { Traffic } from './traffic.ts';

export interface Window {
  perSecond: number;
  messages: number;
  cpuPerMessage: number;
  /** By process, and that of this generator for comparison. */
  cpuPerMessageOf: CpuByName;
  generatorPerMessage: number;
  /** Of the monotonic clock, in µs: what a profile is cut to. */
  beganUs: number;
  endedUs: number;
}

/** What the home spends on what is delivered during that time. */
export async function measureWindow(home: BenchHome, traffic: Traffic, seconds: number): Promise<Window> {
  const cpuBefore = home.cpu();
  const ownBefore = ownCpuUs();
  const deliveredBefore = traffic.tally.delivered;
  const began = process.hrtime.bigint();
  await sleep(seconds * 1_000);
  const messages = traffic.tally.delivered - deliveredBefore;
  const ended = process.hrtime.bigint();
  const cpu = cpuBetween(cpuBefore, home.cpu());
  const each = (us: number) => us / messages;
  return {
    messages,
    perSecond: messages / (Number(ended - began) / 1e9),
    cpuPerMessage: each(sumOf(cpu)),
    cpuPerMessageOf: Object.fromEntries(Object.entries(cpu).map(([name, us]) => [name, each(us)])),
    generatorPerMessage: each(ownCpuUs() - ownBefore),
    beganUs: Number(began / 1_000n),
    endedUs: Number(ended / 1_000n),
  };
}
