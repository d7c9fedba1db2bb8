import type { Random } from './random.ts';

/** The things that the home has named so far, by kind: ids by prefix, addresses, codes, cursors, key names. */
export interface Pool {
  learn(answer: unknown): void;
  /** A random value of these kinds, or of any kind by default. Undefined if none was seen. */
  some(random: Random, kinds?: readonly string[]): string | undefined;
}

/** Per kind; newer values replace older ones. */
const mostOfKind = 60;

const idOf = /^([a-z]+)_[0-9a-f]{32}$/;
const addressOf = /^[@&][a-z0-9][a-z0-9.-]+$/;
const kindsOfMember: Readonly<Record<string, string>> = {
  code: 'code',
  next_cursor: 'cursor',
  kid: 'kid',
  ask_digest: 'digest',
  digest: 'digest',
};

/** @param whole a shared pool: it is drawn from now and then, and learns what this pool learns */
export function createPool(whole?: Pool): Pool {
  const known = new Map<string, string[]>();

  function add(kind: string, value: string): void {
    const list = known.get(kind) ?? [];
    known.set(kind, list);
    if (!list.includes(value)) list.push(value);
    if (list.length > mostOfKind) list.shift();
  }

  function learn(answer: unknown, member = ''): void {
    if (typeof answer === 'string') {
      const kind = idOf.exec(answer)?.[1] ?? (addressOf.test(answer) ? 'address' : kindsOfMember[member]);
      if (kind !== undefined) add(kind, answer);
      // A claim link ends in its token.
      if (member === 'url' || member === 'claim_link') add('code', answer);
    } else if (Array.isArray(answer)) for (const item of answer) learn(item, member);
    else if (answer !== null && typeof answer === 'object')
      for (const [name, value] of Object.entries(answer)) learn(value, name);
  }

  return {
    learn(answer) {
      learn(answer);
      whole?.learn(answer);
    },
    some(random, kinds = [...known.keys()]) {
      const lists = kinds.flatMap((kind) => (known.has(kind) ? [known.get(kind)!] : []));
      const others = whole !== undefined && (lists.length === 0 || random.chance(0.2));
      if (others) return whole.some(random, kinds);
      return lists.length === 0 ? undefined : random.pick(random.pick(lists));
    },
  };
}
