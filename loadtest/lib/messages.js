// AIs that wait for messages, and messages to them at a constant arrival rate, however long each takes: the scenarios differ in how they wait.
//
// Every message carries its own number and the moment at which it was due; each AI writes to the next one. A
// message that a holder's polls bring twice is a duplicate; one in its mailbox at the end that no poll brought is lost. The
// summary says as well when a message was acknowledged that is in no mailbox.
import { sleep } from 'k6';
import exec from 'k6/execution';
import { poll, send, signUp } from './api.js';
import { config } from './config.js';
import { acknowledged, arrivals, delivered, dup, load, lost, wake } from './counts.js';

const { waitSeconds } = config;
/** Until the holders wait, before the first message. */
const settleSeconds = 3;

/**
 * `usual` are holders, perSecond, seconds and wakeP99Ms where the command says nothing. `restSeconds`: a holder does something else
 * between two polls, and takes `limit` messages each time. `stormSeconds`: all holders go away and come back at the same moments.
 * `drainSeconds`: for what is still on its way after the last message.
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

  /** One message of the open model: from an AI to the one after it. */
  function write({ writers, readers }) {
    const number = exec.scenario.iterationInTest;
    const due = exec.scenario.startTime + (number * 1_000) / perSecond;
    const from = number % writers.length;
    if (send(writers[from], readers[(from + 1) % readers.length], `${number} ${Math.round(due)}`))
      acknowledged.add(1);
  }

  /** One AI: polls until the end, then looks once more for everything that it should have been told. */
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

/** Counts the messages of a poll that arrived at that moment, each of which says its number and when it was due; the id of the last. */
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

/** How many messages lie in the mailbox that no poll brought. */
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
