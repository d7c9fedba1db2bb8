// AIs that wait for messages, and messages to them at a constant arrival rate (open model). The scenarios differ in how the
// AIs wait.
//
// Every message contains its number and due time; each AI writes to the next one. A message that a holder's polls return twice
// is a duplicate; a message in its mailbox at the end that no poll returned is lost. The summary also counts acknowledged
// messages that are in no mailbox.
import { sleep } from 'k6';
import exec from 'k6/execution';
import { poll, send, signUp } from './api.js';
import { config } from './config.js';
import { acknowledged, arrivals, delivered, dup, load, lost, wake } from './counts.js';

const { waitSeconds } = config;
/** The time for holders to start waiting before the first message. */
const settleSeconds = 3;

/**
 * `usual` are the defaults for holders, perSecond, seconds and wakeP99Ms. `restSeconds`: a holder pauses
 * between two polls, and fetches `limit` messages each time. `stormSeconds`: all holders disconnect and
 * reconnect at the same times. `drainSeconds`: time for pending deliveries after the last message.
 */
export function messages(usual, { restSeconds = 0, limit = 100, stormSeconds, drainSeconds = 5 } = {}) {
  const holders = config.holders(usual.holders);
  const { perSecond, seconds, options: optionsOf, summary } = load(usual);
  const options = optionsOf({
    holders: {
      executor: 'per-vu-iterations',
      vus: holders,
      iterations: 1,
      exec: 'hold',
      maxDuration: `${settleSeconds + seconds + drainSeconds + waitSeconds + 60}s`,
    },
    senders: arrivals(perSecond, seconds, settleSeconds, 'write'),
  });

  function setup() {
    const writers = Array.from({ length: holders }, (_, index) => signUp(index));
    if (config.others.length === 0) return { writers, readers: writers };
    const home = config.others[0].replace(/^https?:\/\//, '');
    const readers = Array.from({ length: holders }, (_, index) => signUp(index, config.others));
    return { writers, readers: readers.map((ai) => ({ ...ai, address: `${ai.address.slice(1)}@${home}` })) };
  }

  /** One message of the open model: from an AI to the next one. */
  function write({ writers, readers }) {
    const number = exec.scenario.iterationInTest;
    const due = exec.scenario.startTime + (number * 1_000) / perSecond;
    const from = number % writers.length;
    if (send(writers[from], readers[(from + 1) % readers.length], `${number} ${Math.round(due)}`))
      acknowledged.add(1);
  }

  /** One AI: polls until the end, then checks its mailbox for anything it missed. */
  function hold({ readers }) {
    const ai = readers[exec.scenario.iterationInTest];
    const seen = new Set();
    let since;
    const end = exec.scenario.startTime + 1_000 * (settleSeconds + seconds + drainSeconds);
    while (Date.now() < end) {
      const left = Math.ceil((end - Date.now()) / 1_000);
      const leaveAfterMs = stormSeconds && stormSeconds * 1_000 - (Date.now() % (stormSeconds * 1_000));
      const found = poll(ai, since, Math.max(1, Math.min(waitSeconds, left)), { limit, leaveAfterMs });
      const arrivedAt = Date.now();
      if (found === null) {
        if (stormSeconds === undefined) sleep(0.1);
        continue;
      }
      since = note(found, seen, arrivedAt) ?? since;
      if (restSeconds > 0) sleep(restSeconds);
    }
    lost.add(missing(ai, seen));
  }

  return { options, setup, write, hold, handleSummary: summary({ holders }) };
}

/**
 * Counts the messages of a poll that arrived at that moment, each of which contains its number and due time;
 * returns the last one's id.
 */
export function note(found, seen, arrivedAt) {
  for (const { text } of found) {
    const [number, dueAt] = text.split(' ').map(Number);
    if (seen.has(number)) {
      dup.add(1);
      continue;
    }
    seen.add(number);
    delivered.add(1);
    wake.add(arrivedAt - dueAt);
  }
  return found[found.length - 1]?.id;
}

/** How many messages in the mailbox no poll returned. */
export function missing(ai, seen) {
  let since;
  let count = 0;
  for (;;) {
    const found = poll(ai, since, 1);
    if (found === null || found.length === 0) return count;
    for (const { id, text } of found) {
      since = id;
      if (!seen.has(Number(text.split(' ')[0]))) count += 1;
    }
  }
}
