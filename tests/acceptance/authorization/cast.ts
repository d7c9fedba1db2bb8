import { type ApiClient, apiClient } from '@hearth/testkit/home';
import {
  join,
  newApp,
  newChild,
  newGroup,
  newPerson,
  operator,
  type TestApp,
  type TestGroup,
  type TestPerson,
} from '../../support/apps.ts';
import { expectStatus, newAi, urls } from '../../support/home.ts';

/** A caller, described by what the declarations distinguish. */
export interface Caller {
  name: string;
  client: ApiClient;
  kind: 'nobody' | 'revoked' | 'ai' | 'person' | 'app' | 'operator';
  /** An AI's permissions. */
  scopes?: ReadonlySet<string>;
  /** The call uses an app's key. */
  byApp?: true;
  /** A group's AI. */
  ofGroup?: true;
  /** An AI without an owner. */
  ownerless?: true;
}

export const scopes = ['read', 'notes', 'message', 'group', 'invite', 'approve'] as const;

export interface World {
  app: TestApp;
  otherApp: TestApp;
  ada: TestPerson;
  /** Shares a group with Ada. */
  fellow: TestPerson;
  /** Held by the other app, and in no group of theirs. */
  stranger: TestPerson;
  child: TestPerson;
  group: TestGroup;
  strangersGroup: TestGroup;
  adasAi: { id: string; key: string; address: string };
  fellowsAi: { id: string; key: string; address: string };
  strangersAi: { id: string; key: string; address: string };
  callers: Caller[];
}

/** An AI of that person with these permissions and its own key. */
export async function newAiOf(person: TestPerson, permissions: readonly string[], name = 'Helper') {
  const { body } = expectStatus(await person.post('/v0/ais', { name, permissions }), 201);
  return { id: body.ai.id as string, address: body.ai.address as string, key: body.connector_key as string };
}

/** The session of a person who joined as a guest. */
async function newSession(group: TestGroup): Promise<string> {
  const invite = expectStatus(await group.organizer.post(`/v0/groups/${group.id}/invites`), 201).body;
  const guest = { name: 'Gus Guest', birth_year_month: '1980-05' };
  const joined = await apiClient(urls()).post(`/v0/invites/${invite.code}/accept`, { guest });
  return expectStatus(joined, 200, 201).body.session_token as string;
}

/** Callers of every kind in one home. */
export async function makeWorld(): Promise<World> {
  const [app, otherApp] = await Promise.all([newApp(), newApp({ name: 'Other' })]);
  const [ada, fellow, stranger] = await Promise.all([
    newPerson(app),
    newPerson(app, { name: 'Bob Fellow' }),
    newPerson(otherApp, { name: 'Carol Stranger' }),
  ]);
  const child = await newChild(ada);
  const [group, strangersGroup] = await Promise.all([newGroup(ada), newGroup(stranger, { name: 'Choir' })]);
  await join(group, fellow);
  await join(group, child, ada);

  const adasAi = await newAiOf(ada, scopes);
  const [fellowsAi, strangersAi] = await Promise.all([newAiOf(fellow, scopes), newAiOf(stranger, scopes)]);
  const lacking = await Promise.all(
    scopes.map(async (missing): Promise<Caller> => {
      const held = scopes.filter((scope) => scope !== missing);
      const { key } = await newAiOf(ada, held, `Without ${missing}`);
      return {
        name: `an AI without ${missing}`,
        client: apiClient(urls(), key),
        kind: 'ai',
        scopes: new Set(held),
      };
    }),
  );
  const ownerless = await newAi();
  const signedIn = await newSession(group);
  const revoked = await newAi();
  expectStatus(await revoked.delete('/v0/ais/me'), 200);

  const callers: Caller[] = [
    { name: 'nobody', client: apiClient(urls()), kind: 'nobody' },
    { name: 'a revoked key', client: revoked, kind: 'revoked' },
    {
      name: 'an AI without owner',
      client: ownerless,
      kind: 'ai',
      scopes: new Set(['read', 'message']),
      ownerless: true,
    },
    {
      name: 'an AI with every scope',
      client: apiClient(urls(), adasAi.key),
      kind: 'ai',
      scopes: new Set(scopes),
    },
    ...lacking,
    { name: 'an app', client: app, kind: 'app', byApp: true },
    { name: 'an app for a person', client: ada, kind: 'person', byApp: true },
    { name: 'an app for an AI', client: app.as(adasAi.id), kind: 'ai', scopes: new Set(scopes), byApp: true },
    {
      name: 'the AI of a group',
      client: app.as(group.group_ai),
      kind: 'ai',
      scopes: new Set(['read', 'notes', 'group']),
      byApp: true,
      ofGroup: true,
    },
    { name: 'the other app', client: otherApp, kind: 'app', byApp: true },
    { name: 'an app for a child', client: child, kind: 'person', byApp: true },
    { name: "a person's own sign-in", client: apiClient(urls(), signedIn), kind: 'person' },
    { name: 'the operator', client: operator(), kind: 'operator' },
  ];
  return {
    app,
    otherApp,
    ada,
    fellow,
    stranger,
    child,
    group,
    strangersGroup,
    adasAi,
    fellowsAi,
    strangersAi,
    callers,
  };
}
