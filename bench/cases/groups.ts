import type { Bench, Case, Figure } from '../lib/case.ts';
import { signUpCrowd } from '../lib/crowd.ts';
import { eachLayout } from '../lib/each-layout.ts';
import { stockGroups } from '../lib/group-stock.ts';
import { type Layout, startBenchHome } from '../lib/home.ts';
import { rawRequest } from '../lib/raw-client.ts';
import { openRequests } from '../lib/requests.ts';
import { median } from '../lib/statistics.ts';
import { number } from '../lib/table.ts';

const compared: readonly Layout[] = ['own-postgres', 'split'];
const groupCount = 200;
const memberCount = 500;
const pageOfGroups = 20;

/** A person in many large groups, compared with reads of a single indexed select through the same stack. */
export const groups: Case = {
  name: 'groups',
  about: `list_groups and check_membership for a person in ${groupCount} groups of ${memberCount}, against bare reads`,
  run: eachLayout(compared, measure),
};

async function measure(
  bench: Bench,
  layout: Layout,
): Promise<{ figures: Figure[]; details: Record<string, number[]> }> {
  const home = await startBenchHome({ layout });
  const costs: Record<string, number[]> = { 'one row': [], member: [], rows: [], groups: [] };
  try {
    const [reader, writer] = await signUpCrowd(home.ports, 2);
    const requests = await openRequests(home, 32);
    const body = (index: number) => ({ to: reader!.address, text: `message ${index}` });
    await requests.each(
      Array.from({ length: 3 * pageOfGroups }, (_, index) =>
        rawRequest('POST', '/v0/messages', writer!.key, body(index)),
      ),
      201,
    );
    const stock = await stockGroups(home.databaseUrl!, {
      ai: reader!.address,
      groups: groupCount,
      members: memberCount,
    });
    const messages = await messageIds(home.ports[0]!, reader!.key);
    const get = (path: string) => rawRequest('GET', path, reader!.key);
    const inTurn = (made: string[]) => {
      let turn = 0;
      return () => made[turn++ % made.length]!;
    };
    const kinds = {
      'one row': inTurn(messages.map((id) => get(`/v0/messages/${id}`))),
      member: inTurn(
        stock.people.map((person, index) =>
          get(`/v0/groups/${stock.groups[index % stock.groups.length]}/members/${person}`),
        ),
      ),
      rows: inTurn([get(`/v0/messages?limit=${pageOfGroups}`)]),
      groups: inTurn([get(`/v0/groups?limit=${pageOfGroups}`)]),
    };
    for (const next of Object.values(kinds)) await requests.keep(bench.quick ? 0.7 : 2, next);
    // In turns, so that other load on the machine affects each alike.
    for (let round = 0; round < (bench.quick ? 2 : 5); round += 1) {
      for (const [kind, next] of Object.entries(kinds)) {
        costs[kind]!.push((await requests.keep(bench.quick ? 0.7 : 1, next)).cpuUs);
      }
    }
    requests.close();
  } finally {
    await home.stop();
  }
  const cost = (kind: string) => median(costs[kind]!);
  for (const kind of Object.keys(costs))
    bench.say(`${layout}, ${kind}: ${number(cost(kind))} CPU µs for each request`);
  const mark = { atMost: 1.5 };
  const unit = 'CPU µs';
  return {
    details: costs,
    figures: [
      { name: `${layout}: get_message (one indexed row)`, value: cost('one row'), unit },
      { name: `${layout}: check_membership`, value: cost('member'), unit },
      { name: `${layout}: list_messages (${pageOfGroups} rows)`, value: cost('rows'), unit },
      { name: `${layout}: list_groups (${pageOfGroups} groups)`, value: cost('groups'), unit },
      {
        name: `${layout}: check_membership, of the bare read`,
        value: cost('member') / cost('one row'),
        unit: 'x',
        mark,
      },
      {
        name: `${layout}: list_groups, of the bare read`,
        value: cost('groups') / cost('rows'),
        unit: 'x',
        mark,
      },
    ],
  };
}

async function messageIds(port: number, key: string): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/v0/messages?limit=60`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { messages } = (await answer.json()) as { messages: { id: string }[] };
  return messages.map(({ id }) => id);
}
