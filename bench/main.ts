// npm run bench [-- <case...>] [--quick] [--profile]
//
// Measures the named cases, or all of them, prints tables and writes the figures as JSON. See README.md.
import { ensureTools } from '../scripts/tools/ensure-tools.mjs';
import { approvals } from './cases/approvals.ts';
import { cached } from './cases/cached.ts';
import { callbacks } from './cases/callbacks.ts';
import { deadAddresses } from './cases/dead-addresses.ts';
import { deadHomes } from './cases/dead-homes.ts';
import { deadlines } from './cases/deadlines.ts';
import { decisions } from './cases/decisions.ts';
import { deliveries } from './cases/deliveries.ts';
import { measureFloor } from './cases/floor.ts';
import { groups } from './cases/groups.ts';
import { growth } from './cases/growth.ts';
import { held } from './cases/held.ts';
import { homes } from './cases/homes.ts';
import { hostile } from './cases/hostile.ts';
import { idle } from './cases/idle.ts';
import { latency } from './cases/latency.ts';
import { mails } from './cases/mails.ts';
import { meetings } from './cases/meetings.ts';
import { memory } from './cases/memory.ts';
import { peers } from './cases/peers.ts';
import { saturation } from './cases/saturation.ts';
import { sign } from './cases/sign.ts';
import { start } from './cases/start.ts';
import { storedApprovals } from './cases/stored-approvals.ts';
import { storedCommons } from './cases/stored-commons.ts';
import { storedDecisions } from './cases/stored-decisions.ts';
import { wakeUps } from './cases/wake-ups.ts';
import type { Bench, Case, CaseResult } from './lib/case.ts';
import { describeMachine } from './lib/machine.ts';
import { figuresTable, writeReport } from './lib/report.ts';
import { floorFigures } from './lib/shown-floor.ts';

const cases: readonly Case[] = [
  start,
  memory,
  idle,
  saturation,
  latency,
  peers,
  cached,
  sign,
  groups,
  approvals,
  storedApprovals,
  decisions,
  meetings,
  homes,
  storedCommons,
  storedDecisions,
  deadlines,
  wakeUps,
  deliveries,
  mails,
  callbacks,
  deadAddresses,
  deadHomes,
  held,
  hostile,
  growth,
];

const args = process.argv.slice(2);
const switches = new Set(args.filter((arg) => arg.startsWith('--')));
const names = args.filter((arg) => !arg.startsWith('--'));
const unknown = [
  ...names.filter((name) => name !== 'floor' && !cases.some((each) => each.name === name)),
  ...[...switches].filter((name) => name !== '--quick' && name !== '--profile' && name !== '--help'),
];

if (unknown.length > 0 || switches.has('--help')) {
  const list = ['  floor       what each part costs alone (always measured first)'];
  for (const each of cases) list.push(`  ${each.name.padEnd(10)}  ${each.about}`);
  console.log(`npm run bench [-- <case...>] [--quick] [--profile]\n\n${list.join('\n')}`);
  if (unknown.length > 0) {
    console.error(`\nThere is no ${unknown.join(', ')}.`);
    process.exitCode = 2;
  }
} else {
  await measure();
}

async function measure(): Promise<void> {
  const say = (line: string) => console.log(line);
  const quick = switches.has('--quick');
  await ensureTools(['nats-server', 'redis-server']);
  const machine = describeMachine();
  say(
    `${machine.cores} cores of ${machine.processor}, ${machine.memoryGb} GB, ${machine.system}; load ${machine.loadAtStart}`,
  );
  say(
    `${Object.entries(machine.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}; commit ${machine.commit}${machine.changed ? ' with changes' : ''}`,
  );

  say('\n== floor: what each part costs alone');
  const floor = await measureFloor(quick);
  say(figuresTable(floorFigures(floor)));

  const bench: Bench = { quick, profile: switches.has('--profile'), floor, say };
  const results: Record<string, CaseResult> = { floor: { figures: floorFigures(floor) } };
  for (const each of cases) {
    if (names.length > 0 && !names.includes(each.name)) continue;
    say(`\n== ${each.name}: ${each.about}`);
    try {
      results[each.name] = await each.run(bench);
      say(figuresTable(results[each.name]!.figures));
    } catch (error) {
      console.error(`${each.name} failed:`, error);
      process.exitCode = 1;
    }
  }
  const whole = names.length === 0 && !quick && !bench.profile && process.exitCode === undefined;
  const at = new Date().toISOString();
  say(`\nWritten to ${writeReport({ at, quick, machine, floor, cases: results }, whole)}`);
}
