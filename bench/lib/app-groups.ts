import { apiClient } from '@hearth/testkit/home';
import type { BenchHome } from './home.ts';
import { rawRequest } from './raw-client.ts';

/** Groups with people of several apps, each of which is notified of every change. */
export interface AppGroups {
  /** The next request, which renames one of the groups; its answer is 200. */
  rename(): string;
}

/** Makes one app for each origin, with one person in each of `groups` groups. */
export async function makeAppGroups(
  home: BenchHome,
  origins: readonly (string | null)[],
  groups: number,
): Promise<AppGroups> {
  const urls = home.ports.map((port) => `http://127.0.0.1:${port}`);
  const operator = apiClient(urls, home.operatorKey);
  const people: { key: string; acting: string }[] = [];
  for (const origin of origins) {
    const made = await expectMade(
      operator.post('/v0/admin/apps', { name: 'Planner', contact_email: 'ops@planner.example' }),
    );
    const key: string = made.app_key;
    const app = apiClient(urls, key);
    if (origin !== null) await expectMade(app.patch('/v0/app', { webhook_url: `${origin}/events` }));
    const person = await expectMade(app.post('/v0/people', { name: 'Ada Lovelace', age_band: 'adult' }));
    people.push({ key, acting: person.id });
  }
  const as = ({ key, acting }: (typeof people)[number], path: string, body: object) =>
    expectMade(apiClient(urls, key).post(path, body, { 'svc-acting-for': acting }));
  const organizer = people[0]!;
  const made: string[] = [];
  for (let group = 0; group < groups; group += 1) {
    const settings = { minors: 'no', join_review: 'none' };
    const { id } = await as(organizer, '/v0/groups', { name: 'Book club', settings });
    made.push(id);
    for (const person of people.slice(1)) {
      const { code } = await as(organizer, `/v0/groups/${id}/invites`, { for_age: 'adult' });
      await as(person, `/v0/invites/${code}/accept`, {});
    }
  }
  let turn = 0;
  return {
    rename() {
      turn += 1;
      const path = `/v0/groups/${made[turn % made.length]}`;
      const acting = [`svc-acting-for: ${organizer.acting}`];
      return rawRequest('PATCH', path, organizer.key, { name: `Book club ${turn}` }, acting);
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
async function expectMade(asked: Promise<{ status: number; body: any }>): Promise<any> {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(`answered with ${status}: ${JSON.stringify(body)}`);
  return body;
}
