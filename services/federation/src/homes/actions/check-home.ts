import { isHomeName } from '@hearth/addresses';
import type { GuardedAnswer } from '@hearth/guarded-http';
import { readStrictObject, receiveDocument } from '@hearth/signing';
import type { Context } from '../context.ts';
import { originOf, readEndpoint } from '../domain/endpoint.ts';
import { policyFor } from '../domain/policy.ts';
import type { HomeQuestion } from './ask-home.ts';
import { type Fetched, type FetchStep, fetchDocument } from './fetch-document.ts';

export interface Check {
  what: 'name' | 'policy' | 'endpoint' | 'clock' | 'request' | FetchStep;
  good: boolean;
  words: string;
}

const mostApartMs = 300_000;
const fetchSteps = ['address', 'tls', 'document'] as const;

/** Runs every check needed to talk with a home, in order. Stops at a failed check that later ones depend on. */
export async function checkHome(context: Context, home: string): Promise<Check[]> {
  const checks: Check[] = [];
  const add = (what: Check['what'], good: boolean, words: string) => {
    checks.push({ what, good, words });
    return good;
  };
  const nameWords = nameProblem(context, home);
  if (!add('name', nameWords === null, nameWords ?? `${home} is a name of a home`)) return checks;
  const { ask, clock, devHomes, known, mode } = context;
  const row = await known.find(home);
  const word = await known.wordAbout(home);
  const policy = policyFor(mode, word);
  const said = word ?? `nothing was said of it, and HEARTH_FEDERATION is ${mode}`;
  if (!add('policy', policy !== 'blocked', policyWords(policy, said, home))) return checks;

  const fetched = await fetchDocument(home, context);
  for (const step of fetchSteps) {
    if ('failure' in fetched && fetched.step === step) {
      add(step, false, fetched.failure);
      return checks;
    }
    if (step === 'address') add(step, true, `${originOf(home, devHomes)} can be called`);
    if (step === 'tls' && !devHomes.includes(home)) add(step, true, `its certificate holds for ${home}`);
  }
  if ('failure' in fetched) return checks;
  const clockWords = clockProblem(fetched, clock.now());
  const { verdict, problem, kept } = receiveDocument(row?.kept ?? null, fetched.document, {
    home,
    now: clock.now(),
  });
  const taken = verdict === 'accepted' || verdict === 'unchanged' || verdict === 'began_anew';
  add('document', taken, problem ?? `${kept!.document.doc_seq}, good until ${kept!.document.valid_until}`);
  add('clock', clockWords === null, clockWords ?? 'it goes with ours');
  if (!taken) return checks;
  const endpoint = readEndpoint(home, kept!.document['federation'], devHomes);
  if (
    !add(
      'endpoint',
      typeof endpoint !== 'string',
      typeof endpoint === 'string' ? endpoint : endpoint.endpoint,
    )
  )
    return checks;
  // The request below uses the stored document, so refresh it first.
  await known.look(home, 'operator', null);
  const reply = await ask(home, question, true);
  const refused = reply.refused ? reply.error : requestProblem(home, reply);
  add('request', refused === null, refused ?? 'a signed request was answered');
  return checks;
}

/** Any answer about the log shows that the home accepted the signature. */
const question: HomeQuestion = {
  method: 'GET',
  path: '/items?epoch=0&after=0&limit=1',
  timeoutMs: 10_000,
  maxResponseBytes: 262_144,
};

/** The error codes of docs/protocol/requests.md, and how to resolve them. */
const refusals: Readonly<Record<string, string>> = {
  unknown_key:
    "it does not take this home's key. It fetches the document of this home to learn it: see that /.well-known/service.json of this home can be read from there, by https at its name",
  key_change:
    'it takes this home for another one under the same name: none of the keys that it knew signed the new document. Tell its operator the kid of your key by another way (hearth key list): they accept it, or wait for seven days',
  denied:
    'it does not talk with this home: its operator blocked this home, or allows only homes that they listed. Ask its operator',
  clock:
    'its clock and that of this home are more than five minutes apart: see that both follow network time',
  replayed: 'it has lost what it remembered of requests, and takes no older ones: try again',
  bad_signature:
    'it does not accept the signature: something on the way changes requests (a proxy that rewrites paths or headers), or its endpoint is not the one that its document says',
  wrong_destination: 'its endpoint belongs to another home than its document says: ask its operator',
  bad_version: 'it speaks another version of the protocol',
};

function requestProblem(home: string, { status, body }: GuardedAnswer): string | null {
  if (status === 200 || status === 409) return null;
  const code = codeOf(body);
  if (code !== null && Object.hasOwn(refusals, code)) return `${home} answered ${code}: ${refusals[code]}`;
  if (status === 429 || status === 503) return `${home} is busy (status ${status}): try again in a minute`;
  return `${home} answered a signed request with status ${status}: no home answers so. See that its endpoint leads to its home and to nothing else`;
}

/** Returns the error code that another home answered; null if there is none. */
function codeOf(body: Buffer): string | null {
  const code = readStrictObject(body)?.['code'];
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : null;
}

function nameProblem({ homeNames }: Context, home: string): string | null {
  if (home === homeNames.ownHome) return `${home} is this home itself`;
  if (isHomeName(home, homeNames)) return null;
  return `${home} is not the name of a home. It must be a DNS name such as home.example or, for development, a name in HEARTH_DEV_HOMES`;
}

function policyWords(policy: string, said: string, home: string): string {
  return policy === 'blocked'
    ? `this home does not talk with ${home} (${said}); to allow it: hearth home allow ${home}`
    : `this home talks with it (${said})`;
}

/** Compares with the Date header of the answer, which has a resolution of one second. */
function clockProblem({ date }: Exclude<Fetched, { failure: string }>, now: number): string | null {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return null;
  const apart = theirs - now;
  if (Math.abs(apart) <= mostApartMs) return null;
  const minutes = Math.round(Math.abs(apart) / 60_000);
  const way = apart > 0 ? 'ahead of' : 'behind';
  return `the clock there is ${minutes} minutes ${way} ours: with more than 5, requests are refused; see that both follow network time`;
}
