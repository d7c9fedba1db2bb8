import { type ApiClient, apiClient, sharedHome } from '@hearth/testkit/home';
import { actingFor, withHeaders } from './acting.ts';
import { expectStatus, urls } from './home.ts';

/** An app with the clients by which it acts. */
export interface TestApp extends ApiClient {
  id: string;
  key: string;
  secret: string;
  /** The app acting for a person that it holds, or for their AI. */
  as(id: string): ApiClient;
}

/** A person held by an app; the client is the app acting for them. */
export interface TestPerson extends ApiClient {
  id: string;
  address: string;
  handle: string;
  name: string;
  app: TestApp;
}

export interface TestGroup {
  id: string;
  address: string;
  group_ai: string;
  organizer: TestPerson;
}

export const operator = (): ApiClient => apiClient(urls(), sharedHome().operatorKey);

/** A client with that key and an additional header on every request. */
export const withHeader = (key: string, headers: Record<string, string>): ApiClient =>
  withHeaders(apiClient(urls(), key), headers);

/** The test's own app; by default it may hold people under 18. */
export async function newApp(fields: Record<string, unknown> = {}): Promise<TestApp> {
  const reply = await operator().post('/v0/admin/apps', {
    name: 'Team Planner',
    contact_email: 'ops@planner.example',
    minors: true,
    ...fields,
  });
  const { app, app_key: key, signing_secret: secret } = expectStatus(reply, 201).body;
  const client = apiClient(urls(), key);
  const as = (id: string) => actingFor(client, id);
  return { ...client, id: app.id, key, secret, as };
}

let names = 0;

/** A person held by the app, by default an adult. */
export async function newPerson(app: TestApp, fields: Record<string, unknown> = {}): Promise<TestPerson> {
  names += 1;
  const name = `Ada Lovelace ${names}`;
  const age = 'birth_year_month' in fields ? {} : { age_band: 'adult' };
  const { body } = expectStatus(await app.post('/v0/people', { name, ...age, ...fields }), 201);
  return {
    ...app.as(body.id),
    id: body.id,
    address: body.address,
    handle: body.handle,
    name: body.name,
    app,
  };
}

/** A person under 18 (for example 9, 14 or 16) with `guardian` as their guardian. */
export async function newChild(
  guardian: TestPerson,
  { years = 9, ...fields }: { years?: number } & Record<string, unknown> = {},
): Promise<TestPerson> {
  const now = new Date();
  const birth = `${now.getUTCFullYear() - years}-01`;
  const given = { name: 'Kit Quillfeather', birth_year_month: birth, guardian: guardian.id, ...fields };
  return await newPerson(guardian.app, given);
}

export async function newGroup(
  organizer: TestPerson,
  { settings = { minors: 'guardian', join_review: 'none' }, ...fields }: Record<string, unknown> = {},
): Promise<TestGroup> {
  const reply = await organizer.post('/v0/groups', { name: 'Book club', settings, ...fields });
  const { id, address, group_ai } = expectStatus(reply, 201).body;
  return { id, address, group_ai, organizer };
}

/** Brings a person into a group by a one-time invite; `guardian` consents if needed. */
export async function join(group: TestGroup, person: TestPerson, guardian?: TestPerson): Promise<void> {
  const band = (await person.get('/v0/people/me')).body.age_band as string;
  const invite = expectStatus(
    await group.organizer.post(`/v0/groups/${group.id}/invites`, { for_age: band }),
    201,
  ).body;
  const answer = expectStatus(await person.post(`/v0/invites/${invite.code}/accept`), 200, 201).body;
  if (answer.status === 'joined') return;
  if (guardian === undefined) throw new Error(`waits for ${JSON.stringify(answer.waiting_for)}`);
  const review = { decision: 'approved', person: person.id };
  expectStatus(await guardian.post(`/v0/invites/${invite.code}/review`, review), 200);
}
