import type { BenchHome } from './home.ts';
import { type CpuByName, cpuBetween, machineCpuUs, ownCpuUs, sumOf } from './processes.ts';
import { number } from './table.ts';
import type { Traffic } from './traffic.ts';

export interface Window {
  perSecond: number;
  messages: number;
  cpuPerMessage: number;
  /** By process, with this generator's for comparison. */
  cpuPerMessageOf: CpuByName;
  generatorPerMessage: number;
  /** Cores that other work on this machine used; above a little, rates and latencies are unreliable. */
  othersCores: number;
  /** The monotonic clock's time in µs, for cutting a profile to the window. */
  beganUs: number;
  endedUs: number;
}

/** The CPU time that the home spends on deliveries during `work`. */
export async function measureWindow(
  home: Pick<BenchHome, 'cpu'>,
  traffic: Traffic,
  work: () => Promise<unknown>,
): Promise<Window> {
  const cpuBefore = home.cpu();
  const ownBefore = ownCpuUs();
  const machineBefore = machineCpuUs();
  const deliveredBefore = traffic.tally.delivered;
  const began = process.hrtime.bigint();
  await work();
  const messages = traffic.tally.delivered - deliveredBefore;
  const ended = process.hrtime.bigint();
  const cpu = cpuBetween(cpuBefore, home.cpu());
  const own = ownCpuUs() - ownBefore;
  const others = machineCpuUs() - machineBefore - own - sumOf(cpu);
  const elapsedUs = Number(ended - began) / 1_000;
  const each = (us: number) => us / messages;
  return {
    messages,
    perSecond: (messages * 1e6) / elapsedUs,
    cpuPerMessage: each(sumOf(cpu)),
    cpuPerMessageOf: Object.fromEntries(Object.entries(cpu).map(([name, us]) => [name, each(us)])),
    generatorPerMessage: each(own),
    othersCores: Math.max(0, others / elapsedUs),
    beganUs: Number(began / 1_000n),
    endedUs: Number(ended / 1_000n),
  };
}

/** One line: the rate, a message's cost and where it arises, and disturbances. */
export function describeWindow(window: Window): string {
  const parts = Object.entries(window.cpuPerMessageOf)
    .sort(([, a], [, b]) => b - a)
    .map(([name, us]) => `${name} ${number(us)}`);
  return (
    `${number(window.perSecond)}/s, ${number(window.cpuPerMessage)} CPU µs for each message (${parts.join(', ')}); ` +
    `beside it the generator's ${number(window.generatorPerMessage)} µs and ${number(window.othersCores)} cores of other work`
  );
}
