import { type Db, named } from '@hearth/db';
import type { RulesRow } from './rules.ts';

/** A block to look for: of a uuid, of a whole home, or of an address of another home. */
export interface BlockQuestion {
  /** uuids of the people and AIs whose blocks count. */
  owners: readonly string[];
  targetIds: readonly string[];
  targets: readonly string[];
  /** The sender's own address: a remote sender may have been blocked by it before this home met them. */
  address?: string;
}

/** A person and a sender to them. */
export interface Pair {
  /** uuid; null if no person decides. */
  person: string | null;
  /** uuid of the sending person or AI; null for a remote sender that this home never met. */
  sender: string | null;
}

/** A person's decisions about a sender. */
export interface SenderVerdict {
  /** The kind that the sender is labelled with; null if unlabelled. */
  kind: string | null;
  /** Whether the sender reaches the inbox. */
  inbox: boolean;
}

export interface Questions {
  /** uuids of the people whose rules to read. */
  people: readonly string[];
  blocks: readonly BlockQuestion[];
  pairs: readonly Pair[];
}

/** Rules, blocks and sender verdicts. */
export interface ContactFacts {
  /** person -> the rules; leaves out people who have set none. */
  rules: Map<string, RulesRow>;
  /** Whether there is such a block, in the order of the questions. */
  blocked: boolean[];
  /** In the order of the pairs; null if the person decided nothing. */
  said: (SenderVerdict | null)[];
}

interface Row {
  rules: RulesRow[] | null;
  blocked: number[] | null;
  said: (SenderVerdict & { n: number })[] | null;
}

/** Reads all facts in one statement: every ask and every message to a stranger needs them. */
export async function readStanding(db: Db, { people, blocks, pairs }: Questions): Promise<ContactFacts> {
  const asked = blocks.flatMap(({ owners, targetIds, targets, address = null }, n) =>
    owners.flatMap((owner) => [
      ...targetIds.map((targetId) => ({ n, owner, targetId, target: null })),
      ...targets.map((target) => ({ n, owner, targetId: null, target })),
      ...(address === null ? [] : [{ n, owner, targetId: targetIds[0] ?? null, target: address }]),
    ]),
  );
  const found = await db.one<Row>(named('approvals_read_standing')`
    select
      (select json_agg(json_build_object('person', person, 'preset', preset, 'rows', rows,
          'frontDoor', front_door, 'byGuardian', by_guardian))
        from approvals.rules where person = any(${people}::uuid[])) as rules,
      (select array_agg(q.n)
        from unnest(${asked.map(({ n }) => n)}::int[], ${asked.map(({ owner }) => owner)}::uuid[],
          ${asked.map(({ targetId }) => targetId)}::uuid[], ${asked.map(({ target }) => target)}::text[])
          as q (n, owner, target_id, target)
        where exists (
            select 1 from approvals.blocks b where b.person = q.owner and b.target_id = q.target_id)
          or exists (
            select 1 from approvals.blocks b
            where b.person = q.owner and b.target = q.target
              -- An address that belongs to another now is not blocked with them.
              and (q.target_id is null or b.target_id is null))) as blocked,
      (select json_agg(json_build_object('n', q.n - 1, 'kind', s.kind, 'inbox', s.inbox))
        from unnest(${pairs.map(({ person }) => person)}::uuid[],
          ${pairs.map(({ sender }) => sender)}::uuid[]) with ordinality as q (person, sender, n)
        join approvals.senders s on s.person = q.person and s.sender = q.sender) as said`);
  const blocked = new Set(found.blocked);
  const said = new Map(found.said?.map(({ n, kind, inbox }) => [n, { kind, inbox }]));
  return {
    rules: new Map(found.rules?.map((row) => [row.person, row])),
    blocked: blocks.map((_, n) => blocked.has(n)),
    said: pairs.map((_, n) => said.get(n) ?? null),
  };
}
