import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { agree, answerOf, authorizationRequest, exchange, register } from '@hearth/home/testing/oauth-client';
import type { WholeHome } from '@hearth/home/testing/whole-home';
import { createPool, type Pool } from './pool.ts';
import type { Random } from './random.ts';

/** A credential of one kind, as sent. */
export interface Credential {
  name: string;
  /** The caller's kind as in declarations; undefined for an invalid credential. */
  kind?: 'ai' | 'person' | 'app' | 'operator';
  headers: Readonly<Record<string, string>>;
  /** It worked when it was created: a 401 means that calls have ended it. */
  lives: boolean;
  /** Ids and addresses seen with it. */
  pool: Pool;
}

/** Credentials of every kind; ended ones are replaced. */
export interface Cast {
  /** Picks mostly one of the allowed kinds. */
  pick(random: Random, allowed: ReadonlySet<string>): Credential;
  /** Reports a 401. */
  ended(credential: Credential): void;
  /** Before further calls: replaces all credentials if many were ended, or much was done with them. */
  renew(callsSoFar: number): Promise<void>;
}

/** How many credentials of a cast may end before it is replaced. */
const mostEnded = 4;
const mostCalls = 500;

const scopes = ['read', 'notes', 'message', 'group', 'invite', 'approve'];
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const birthOf = (years: number) => `${new Date().getUTCFullYear() - years}-01`;

/** A home on a busy machine may be slow and say so: the judged calls come after this one. */
async function patiently<A extends { status: number }>(ask: () => Promise<A>): Promise<A> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await ask();
    if (reply.status !== 503 || attempt === 10) return reply;
    await sleep(1_000);
  }
}

export async function makeCast(home: WholeHome): Promise<Cast> {
  const whole = createPool();
  let families = 0;

  const credential = (
    name: string,
    kind: Credential['kind'],
    headers: Credential['headers'],
    lives = kind !== undefined,
  ): Credential => ({ name, ...(kind && { kind }), headers, lives, pool: createPool(whole) });

  async function call(
    { headers, pool }: Pick<Credential, 'headers' | 'pool'>,
    method: string,
    path: string,
    body?: object,
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  ): Promise<any> {
    const reply = await patiently(() => home.api().request(method, path, body, { ...headers }));
    if (reply.status >= 300)
      throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    pool.learn(reply.body);
    return reply.body;
  }

  /** People of one app with their AIs, and things between them that have ids. */
  async function makeFamily(): Promise<Credential[]> {
    families += 1;
    const nobody = credential('no key', undefined, {});
    const operator = credential('the operator', 'operator', bearer(home.operatorKey));
    const fields = { name: 'Planner', contact_email: 'ops@planner.example', minors: true };
    const { app_key: appKey } = await call(operator, 'POST', '/v0/admin/apps', fields);
    const app = credential('an app', 'app', bearer(appKey));
    const actingFor = (id: string, name: string) =>
      credential(name, 'person', { ...bearer(appKey), 'svc-acting-for': id });
    const person = async (given: object) => await call(app, 'POST', '/v0/people', given);
    const ada = await person({ name: 'Ada Lovelace', age_band: 'adult' });
    const bob = await person({ name: 'Bob Fellow', age_band: 'adult' });
    const child = await person({ name: 'Kit Quillfeather', birth_year_month: birthOf(9), guardian: ada.id });
    const asAda = actingFor(ada.id, 'an app for a person');
    const asBob = actingFor(bob.id, 'an app for another person');
    const newAi = async (permissions: readonly string[], name: string): Promise<Credential> => {
      const made = await call(asAda, 'POST', '/v0/ais', { name: 'Helper', permissions });
      return credential(name, 'ai', bearer(made.connector_key));
    };
    const signUp = async (name: string, lives = true): Promise<Credential> => {
      const made = await call(nobody, 'POST', '/v0/agents', { name: 'Robin' });
      return credential(name, 'ai', bearer(made.connector_key), lives);
    };
    const claimed = await newAi(scopes, 'an AI with every permission');
    const lacking = await newAi(['read', 'message'], 'an AI with few permissions');
    const ownerless = await signUp('an AI without owner');
    const revoked = await signUp('a revoked key', false);
    await call(revoked, 'DELETE', '/v0/ais/me');
    const settings = { minors: 'guardian', join_review: 'none' };
    for (const name of ['Choir', 'Rowing']) await call(asAda, 'POST', '/v0/groups', { name, settings });
    const group = await call(asAda, 'POST', '/v0/groups', { name: 'Book club', settings });
    const { code } = await call(asAda, 'POST', `/v0/groups/${group.id}/invites`, { reusable: true });
    await call(asBob, 'POST', `/v0/invites/${code}/accept`, {});
    const guest = { guest: { name: 'Gus Guest', birth_year_month: birthOf(40) } };
    const { session_token: session } = await call(nobody, 'POST', `/v0/invites/${code}/accept`, guest);
    await call(asAda, 'PUT', '/v0/notes/new', { text: 'likes tea' });
    await call(claimed, 'POST', '/v0/messages', { to: bob.address, text: 'hello' });
    await call(ownerless, 'POST', '/v0/messages', { to: ada.address, text: 'hello' });
    for (let asks = 0; asks < 3; asks += 1) {
      const asked = await call(asAda, 'POST', '/v0/approvals', { title: 'May I?', to: [bob.address] });
      asBob.pool.learn(asked);
    }
    await call(ownerless, 'POST', '/v0/approvals', { title: 'May I?', to: [ada.address] });
    const never = `hearth_ai_${randomBytes(32).toString('hex').slice(0, 43)}`;
    return [
      nobody,
      credential('a key that never was', undefined, bearer(never)),
      credential('no key at all', undefined, { authorization: 'Basic YTpi' }),
      revoked,
      ...[ownerless, claimed, claimed, lacking, app, asAda, asAda, asBob, operator],
      actingFor(child.id, 'an app for a child'),
      actingFor(`per_${randomBytes(16).toString('hex')}`, 'an app for a person that it does not hold'),
      credential("a person's own sign-in", 'person', bearer(session)),
      await signInProgram(),
    ];
  }

  /** A program with few scopes; it acts as an AI of a person who signed in by email. */
  async function signInProgram(): Promise<Credential> {
    const visitor = await home.signIn(`ada${families}@example.com`);
    const program = await register(home.site);
    const asked = { scope: 'read message', resource: `${home.site}/v0` };
    const request = await authorizationRequest(program, asked);
    const page = await agree(visitor, await visitor.open(request.url), { scope: ['read', 'message'] });
    const { access_token: token } = await exchange(program, answerOf(program, page, request), request);
    return credential('a program with few scopes', 'ai', bearer(token));
  }

  let family = await makeFamily();
  let [ended, madeAt] = [0, 0];
  return {
    pick(random, allowed) {
      const fitting = family.filter(({ kind, lives }) => lives && kind !== undefined && allowed.has(kind));
      return random.pick(fitting.length > 0 && random.chance(0.85) ? fitting : family);
    },
    ended(credential) {
      if (!credential.lives) return;
      const left = family.filter((each) => each !== credential);
      ended += family.length - left.length;
      family = left;
    },
    async renew(callsSoFar) {
      if (ended <= mostEnded && callsSoFar - madeAt < mostCalls) return;
      [ended, madeAt] = [0, callsSoFar];
      family = await makeFamily();
    },
  };
}
