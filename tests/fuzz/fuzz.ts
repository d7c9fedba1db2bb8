import type { WholeHome } from '@hearth/home/testing/whole-home';
import { readLimits, sizesOf } from '@hearth/limits';
import { type Credential, makeCast } from './cast.ts';
import { createJudge, parsed } from './judge.ts';
import { createRandom } from './random.ts';
import { kindsAt, makeFields, makeRequest, type Route, routes, type WireRequest } from './requests.ts';
import { type Answer, curlOf, sendWire } from './send.ts';
import type { Source } from './values.ts';

export interface FuzzOptions {
  /** A receiver of callbacks that the home may call. */
  receiver: string;
  seed: number;
  calls: number;
}

export interface Fuzzed {
  /** The first fault of each kind, with the call that shows it. */
  faults: string[];
  /** Answers by status; tool answers as "tool" and "tool refused". */
  counts: Record<string, number>;
  /** Operations that succeeded at least once. */
  done: ReadonlySet<string>;
}

const atOnce = 8;
/** Credentials are renewed after this many calls. */
const round = 200;
/** The share of tool calls; the others are REST requests. */
const callsOfTools = 0.2;
/** Allowance beyond the deadline, until the answer has arrived here. */
const spareMs = 5_000;

const tools = routes.filter(({ tool }) => tool);

interface Call {
  route: Route;
  credential: Credential;
  request: WireRequest;
  asTool: boolean;
}

/** Calls declared operations with good and bad values under every kind of credential, and judges the answers. */
export async function fuzz(home: WholeHome, { receiver, seed, calls }: FuzzOptions): Promise<Fuzzed> {
  const cast = await makeCast(home);
  const judge = createJudge((await home.api().get('/v0/openapi.json')).body);
  const bounds = sizesOf(readLimits('relaxed', { homeName: 'localhost' }));
  const faults = new Map<string, string>();
  const counts: Record<string, number> = {};
  const done = new Set<string>();

  function make(number: number): Call {
    const random = createRandom(seed, number);
    const asTool = random.chance(callsOfTools);
    const route = random.pick(asTool ? tools : routes);
    const credential = cast.pick(random, route.callers);
    const atPath = kindsAt(route.template);
    const source = { random, pool: credential.pool, bounds, receiver, atPath, now: Date.now() };
    const made = asTool ? toolCall(route, source) : makeRequest(route, source);
    return {
      route,
      credential,
      asTool,
      request: { ...made, headers: { ...credential.headers, ...made.headers } },
    };
  }

  async function call(number: number): Promise<void> {
    const made = make(number);
    const { route, credential, request } = made;
    const fault = await attempt(made);
    if (fault === undefined) return;
    const kind = `${route.id}: ${fault.split('\n')[0]!.replaceAll(/[0-9a-f]{32}|\/\d+|[A-Za-z0-9_-]{43}/g, '*')}`;
    const repeat = `call ${number} of seed ${seed}: ${curlOf(home.port, request)}`;
    if (!faults.has(kind)) faults.set(kind, `${route.id}, ${credential.name}: ${fault}\n  ${repeat}`);
  }

  /** The answer's fault; undefined if it has none. */
  async function attempt(made: Call): Promise<string | undefined> {
    const { route, credential, request, asTool } = made;
    let answer: Answer;
    try {
      answer = await sendWire(home.port, request, route.timeoutSeconds * 1_000 + spareMs);
    } catch (error) {
      return `no answer: ${String(error)}`;
    }
    if (answer.status === 401) cast.ended(credential);
    const fault = asTool ? judgeTool(answer) : judge(route, answer);
    const what = asTool ? toolVerdict(answer) : String(answer.status);
    counts[what] = (counts[what] ?? 0) + 1;
    if (fault !== undefined) return `${fault}\n  answer: ${answer.text.slice(0, 500)}`;
    if (what === 'tool' || answer.status < 300) credential.pool.learn(JSON.parse(answer.text));
    if (!asTool && answer.status < 300) done.add(route.id);
    return undefined;
  }

  async function callRound(from: number): Promise<number> {
    let number = from;
    const most = Math.min(calls, from + round);
    const worker = async () => {
      while (number < most) await call(number++);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    await cast.renew(number);
    return number;
  }

  let made = 0;
  try {
    while (made < calls) made = await callRound(made);
  } catch (error) {
    // The faults found so far are still reported.
    faults.set('ended', `ended after ${made} calls: ${String(error)}`);
  }
  return { faults: [...faults.values()], counts, done };
}

function toolCall(route: Route, source: Source): WireRequest {
  const params = { name: route.id, arguments: makeFields(route, source) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return { method: 'POST', path: '/mcp', headers, body };
}

const toolVerdict = ({ status, text }: Answer): string =>
  status === 200 && parsed(text)?.result?.isError === undefined && parsed(text)?.error === undefined
    ? 'tool'
    : 'tool refused';

/** A failed tool returns an API error or a protocol error; never an internal one. */
function judgeTool({ status, text }: Answer): string | undefined {
  if (status >= 500) return `the home failed with ${status}`;
  const answer = parsed(text);
  if (answer === undefined) return 'the answer is not JSON';
  const { result, error } = answer;
  if (error?.code === -32603) return 'the home failed';
  return result?.structuredContent?.code === 'internal' ? 'the tool failed' : undefined;
}
