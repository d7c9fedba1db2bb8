import { isDeepStrictEqual } from 'node:util';
import type { ClusterHome } from '../../../scripts/cluster/homes.ts';
import type { Body } from '../../faults/support/attempt.ts';
import { type Ai, ask, get, homeA, homeB, must, signUp, sleep, urlOf } from '../support.ts';

type Call = (path: string, body?: object) => Promise<Body>;

interface Person {
  address: string;
  call: Call;
}

const calling =
  (url: string, headers: Record<string, string>): Call =>
  async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    must(`${path} is taken`, answer.ok, text);
    return JSON.parse(text);
  };

/** A person held by an app of that home. */
async function newPerson(home: ClusterHome, name: string): Promise<Person> {
  const url = urlOf(home);
  const secret = get(home, 'secret', `${home.release}-hearth-secrets`).data['HEARTH_OPERATOR_KEY'];
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const operator = calling(url, bearer(Buffer.from(secret, 'base64').toString()));
  const { app_key: key } = await operator('/v0/admin/apps', {
    name: 'Planner',
    contact_email: 'ops@planner.example',
  });
  const { id, address } = await calling(url, bearer(key))('/v0/people', { name, age_band: 'adult' });
  return { address, call: calling(url, { ...bearer(key), 'svc-acting-for': id }) };
}

/** Polls until `holds` is true, for up to half a minute. */
async function until(what: string, look: () => Promise<Body>, holds: (seen: Body) => boolean): Promise<Body> {
  for (const end = performance.now() + 30_000; ; await sleep(200)) {
    const seen = await look();
    if (holds(seen)) return seen;
    must(what, performance.now() < end, seen);
  }
}

const at = (address: string, home: ClusterHome) => `@${address.slice(1)}@${home.name}`;
const ref = (id: string) => `r:${homeA.name}:${id}`;
const path = (kind: string, id: string) => `/v0/${kind}/${encodeURIComponent(ref(id))}`;

/**
 * People and AIs of two homes ask each other, decide in a shared group, and agree; both homes have the same signed
 * records.
 */
export async function together(): Promise<void> {
  const [ada, ben] = [await newPerson(homeA, 'Ada Byron'), await newPerson(homeB, 'Ben Okri')];
  const [a, b] = [urlOf(homeA), urlOf(homeB)];
  const [robin, wren] = [await signUp(a, 'Robin'), await signUp(b, 'Wren')];
  await asks(robin, ben);
  await decides(ada, ben);
  await agrees({ url: a, ai: robin }, { url: b, ai: wren });
}

async function asks(robin: Ai, ben: Person): Promise<void> {
  const question = { title: 'May I book it?', to: [at(ben.address, homeB)], choices: ['9:30', '11:00'] };
  const { id } = await ask(urlOf(homeA), '/v0/approvals', robin.key, question);
  await until(
    'the ask is there',
    () => ben.call('/v0/approvals?status=waiting'),
    ({ approvals }) => approvals.some((approval: Body) => approval['id'] === ref(id)),
  );
  await ben.call(`${path('approvals', id)}/reply`, { decision: 'approved', answer: '11:00' });
  const { status, signed_answer: record } = await ask(urlOf(homeA), `/v0/approvals/${id}?wait=25`, robin.key);
  must('the answer is signed', status === 'approved' && record.answers[0].home === homeB.name, record);
}

async function decides(ada: Person, ben: Person): Promise<void> {
  const group = await ada.call('/v0/groups', { name: 'Sunday lunch' });
  const invite = { to: at(ben.address, homeB), for_age: 'adult' };
  const { id: invited } = await ada.call(`/v0/groups/${group['id']}/invites`, invite);
  await until(
    'the invite is there',
    () => ben.call('/v0/remote-asks'),
    ({ asks }) => asks.some((body: Body) => body['ref'] === ref(invited)),
  );
  await ben.call(`${path('invites', invited)}/accept`, {});
  const questions = ['Which day?', 'And the other?'].map((prompt) => ({
    ...{ kind: 'choice', prompt, options: ['Saturday', 'Sunday'] },
  }));
  const { id } = await ada.call('/v0/decisions', { title: 'Lunch', group: group['id'], questions });
  const seen = (status: string) =>
    until(
      `the decision is ${status}`,
      async () => {
        const { decisions } = await ben.call('/v0/decisions');
        return decisions.find((decision: Body) => decision['id'] === ref(id)) ?? {};
      },
      (decision) => decision['status'] === status,
    );
  await seen('open');
  const answers = [
    { question_id: 1, answer: 'Sunday' },
    { question_id: 2, answer: 'Saturday' },
  ];
  await ben.call(`${path('decisions', id)}/answers`, { answers });
  await ada.call(`/v0/decisions/${id}/answers`, { answers });
  await seen('proposed');
  const { proposal } = await ben.call(path('decisions', id));
  const yes = { decision: 'approved', version: proposal.version };
  await ada.call(`/v0/decisions/${id}/approve`, yes);
  await ben.call(`${path('decisions', id)}/approve`, yes);
  const { record } = await until(
    'the decision has a record',
    () => ben.call(path('decisions', id)),
    (decision) => decision['record'] !== undefined,
  );
  const own = await ada.call(`/v0/decisions/${id}`);
  must('it is the same at both homes', isDeepStrictEqual(own['record'], record), record);
}

async function agrees(one: { url: string; ai: Ai }, other: { url: string; ai: Ai }): Promise<void> {
  const abroad = `${other.ai.address.slice(1)}@${homeB.name}`;
  const terms = { title: 'Translate the minutes', terms: 'Until the 10th.', with: [abroad] };
  const { id } = await ask(one.url, '/v0/agreements', one.ai.key, terms);
  const theirs = path('agreements', id);
  const { agreements } = await until(
    'the agreement is there',
    () => ask(other.url, '/v0/agreements', other.ai.key),
    (listed) => listed['agreements'].length > 0,
  );
  const [{ terms_digest: digest }] = agreements;
  await ask(other.url, `${theirs}/sign`, other.ai.key, { terms_digest: digest });
  const outcome = { outcome: 'kept' };
  await until(
    'both have signed',
    () => ask(one.url, `/v0/agreements/${id}`, one.ai.key),
    (agreement) => agreement['record'] !== undefined,
  );
  await ask(one.url, `/v0/agreements/${id}/settle`, one.ai.key, outcome);
  await ask(other.url, `${theirs}/settle`, other.ai.key, outcome);
  const settled = (url: string, where: string, key: string) =>
    until(
      'it is settled',
      () => ask(url, where, key),
      (agreement) => agreement['settlement'] !== undefined,
    );
  const here = await settled(one.url, `/v0/agreements/${id}`, one.ai.key);
  const there = await settled(other.url, theirs, other.ai.key);
  must('it is the same at both homes', isDeepStrictEqual(here['settlement'], there['settlement']), {
    here,
    there,
  });
}
