import { isHearthError } from '@hearth/errors';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Agreement,
  type AgreementParty,
  type Box,
  errandsOf,
  hasSigned,
  isDisputed,
  isFinal,
  waitsFor,
  waitsForOwner,
} from './agreement.ts';
import { type Act, followsFrom, next } from './machine.ts';

const ais = ['robin', 'wren', 'crow'];
const terms = 'sha-256:these';
const hour = 3_600_000;

const side = (ai: string, index: number, owners: boolean, box: Box): AgreementParty => ({
  ai,
  person: owners ? `person of ${ai}` : null,
  group: null,
  address: `@${ai}`,
  name: ai,
  status: 'claimed',
  minor: false,
  box: index === 0 ? 'inbox' : box,
  holder: box === 'front_door' ? 'doorkeeper' : null,
  label: 'offer',
  passedNote: '',
  signedAt: index === 0 ? 0 : null,
  signature: null,
  approval: owners ? `approval of ${ai}` : null,
  approvedAt: null,
  told: index === 0,
  asked: false,
  settled: null,
  note: '',
  settledAt: null,
  gone: false,
});

const starts = fc.record({
  owners: fc.boolean(),
  boxes: fc.tuple(
    ...ais.map(() => fc.constantFrom<Box[]>('inbox', 'inbox', 'inbox', 'requests', 'front_door')),
  ),
});

const begun = ({ owners, boxes }: { owners: boolean; boxes: Box[] }): Agreement => ({
  needs_owners: owners,
  status: 'open',
  why: null,
  reason: null,
  terms_digest: terms,
  sign_by: new Date(20 * hour),
  sides: ais.map((ai, index) => side(ai, index, owners, boxes[index] as Box)),
  ready_at: null,
  settled_at: null,
});

const ai = fc.constantFrom(...ais, 'stranger');
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('sign' as const),
      ai,
      termsDigest: fc.constantFrom(terms, terms, terms, terms, 'sha-256:others'),
      signature: fc.constantFrom(null, { protected: 'p', signature: 's' }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('approve' as const), ai: fc.constantFrom(...ais) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      ai,
      outcome: fc.constantFrom('kept' as const, 'kept' as const, 'kept' as const, 'not_kept' as const),
      note: fc.constant('so it was'),
    }),
  },
  fc.record({ kind: fc.constant('decline' as const), ai, reason: fc.constant('no') }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      ai: fc.constantFrom(...ais),
      box: fc.constantFrom<Box[]>('inbox', 'inbox', 'requests', 'refused'),
    }),
  },
  fc.record({ kind: fc.constant('leave' as const), ai: fc.constantFrom('stranger', 'stranger', ...ais) }),
  fc.record({
    kind: fc.constant('done' as const),
    ai: fc.constantFrom(...ais),
    errand: fc.constantFrom('tell' as const, 'ask' as const),
  }),
  fc.constant<Act>({ kind: 'pass' }),
);
const steps = fc.array(fc.tuple(acts, fc.integer({ min: 0, max: 2 * hour })), {
  minLength: 8,
  maxLength: 40,
});

interface Step {
  before: Agreement;
  act: Act;
  after: Agreement;
  at: number;
  refusal: string | undefined;
}

/** The state after each act; a refused act leaves the state unchanged. */
function walk(start: Agreement, taken: readonly (readonly [Act, number])[]): Step[] {
  let state = start;
  let at = 0;
  return taken.map(([act, later]) => {
    at += later;
    const before = state;
    let refusal: string | undefined;
    try {
      state = next(before, act, at);
    } catch (error) {
      if (!isHearthError(error)) throw error;
      refusal = error.details.code ?? error.kind;
    }
    return { before, act, after: state, at, refusal };
  });
}

describe('invariants of an agreement', () => {
  const always = (check: (step: Step) => void) =>
    fc.assert(
      fc.property(starts, steps, (start, taken) => {
        for (const step of walk(begun(start), taken)) check(step);
      }),
      { numRuns: 100 },
    );

  test('it matches a model of who signed, approved and settled', () => {
    // The model tracks who signed, approved and settled, independently of the code.
    fc.assert(
      fc.property(starts, steps, (start, taken) => {
        const boxes = new Map(ais.map((one, index) => [one, index === 0 ? 'inbox' : start.boxes[index]]));
        const signed = new Set([ais[0] as string]);
        const approved = new Set<string>();
        const said = new Map<string, string>();
        const gone = new Set<string>();
        let status = 'open';
        for (const { act, after, at } of walk(begun(start), taken)) {
          const known = 'ai' in act && ais.includes(act.ai) && !gone.has(act.ai);
          if (act.kind === 'pass' && status === 'open' && at >= 20 * hour) status = 'declined';
          else if (act.kind === 'sign' && known && status === 'open') {
            if (act.termsDigest === terms && boxes.get(act.ai) === 'inbox') signed.add(act.ai);
          } else if (act.kind === 'approve' && known && status === 'open') approved.add(act.ai);
          else if (act.kind === 'decline' && known && status === 'open') status = 'declined';
          else if (act.kind === 'settle' && known && status === 'ready' && !said.has(act.ai))
            said.set(act.ai, act.outcome);
          else if (act.kind === 'leave' && known && (status === 'open' || status === 'ready')) {
            gone.add(act.ai);
            if (status === 'open') status = 'declined';
          } else if (act.kind === 'place' && known && status === 'open') {
            const box = boxes.get(act.ai);
            const counts = signed.has(act.ai) && (!start.owners || approved.has(act.ai));
            if (box === 'inbox' ? act.box === 'refused' && !counts : box !== 'refused')
              boxes.set(act.ai, act.box);
          }
          const all = (of: { has(one: string): boolean }) => ais.every((one) => of.has(one));
          const refused = [...boxes.values()].includes('refused');
          if (status === 'open' && !refused && all(signed) && (!start.owners || all(approved)))
            status = 'ready';
          if (status === 'ready' && ais.every((one) => said.get(one) === 'kept')) status = 'settled';
          const seen = after.sides.map((party) => [party.signedAt !== null, party.settled, party.gone]);
          const model = ais.map((one) => [signed.has(one), said.get(one) ?? null, gone.has(one)]);
          expect([after.status, seen]).toEqual([status, model]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('all signatures make it ready, and all outcomes settle it', () => {
    const kinds = ['sign', 'settle'] as const;
    const of = (kind: (typeof kinds)[number], one: string): Act =>
      kind === 'sign'
        ? { kind, ai: one, termsDigest: terms, signature: null }
        : { kind, ai: one, outcome: 'kept', note: '' };
    const all = kinds.flatMap((kind) => ais.map((one) => [of(kind, one), 0] as const));
    const states = walk(begun({ owners: false, boxes: ['inbox', 'inbox', 'inbox'] }), all);
    expect(states.map(({ after }) => after.status)).toEqual([
      'open',
      'open',
      'ready',
      'ready',
      'ready',
      'settled',
    ]);
  });

  test('the current owner approves what the AI signed earlier, and a former owner holds nothing up', () => {
    const passedOn = (agreement: Agreement, person: string | null, approval: string) => {
      at += 1;
      return next(agreement, { kind: 'pass on', ai: 'wren', person, handsAt: at, approval }, 1);
    };
    let at = 0;
    const sign = (agreement: Agreement, ai: string) =>
      next(agreement, { kind: 'sign', ai, termsDigest: terms, signature: null }, 1);
    const inbox: Box[] = ['inbox', 'inbox', 'inbox'];
    const wrenOf = (agreement: Agreement) =>
      agreement.sides.find(({ ai }) => ai === 'wren') as AgreementParty;
    const begins = begun({ owners: false, boxes: inbox });
    const claimed = passedOn({ ...sign(begins, 'wren'), needs_owners: true }, 'ada', 'first');
    expect(wrenOf(claimed)).toMatchObject({ approval: 'first', approvedAt: null, asked: false });
    expect(errandsOf(claimed)).toContainEqual({ kind: 'ask', side: wrenOf(claimed), at: 0 });
    expect(passedOn(claimed, 'ada', 'second').sides).toEqual(claimed.sides);
    const signed = sign(claimed, 'crow');
    expect(signed.status).toBe('open');
    expect(next(signed, { kind: 'approve', ai: 'wren' }, 1).status).toBe('ready');
    const alone = passedOn(signed, null, 'second');
    expect([alone.status, wrenOf(alone).approval]).toEqual(['ready', null]);
    // No one is asked if owners aren't needed, or if the agreement is ready.
    expect(wrenOf(passedOn(begins, 'ada', 'first')).approval).toBeNull();
    expect(passedOn(alone, 'ada', 'second')).toMatchObject({
      status: 'ready',
      sides: [{}, { person: 'ada', approval: null }, {}],
    });
    // The next owner is asked instead of the previous one, and an older change is ignored.
    const other = passedOn(claimed, 'ben', 'second');
    expect(wrenOf(other)).toMatchObject({ person: 'ben', approval: 'second', asked: false });
    const late = { kind: 'pass on', ai: 'wren', person: null, handsAt: 1, approval: 'third' } as const;
    expect(next(other, late, 1)).toBe(other);
  });

  test('an ended agreement does not change', () => {
    always(({ before, after, act }) => {
      if (!isFinal(before) || act.kind === 'done') return;
      expect(after).toBe(before);
    });
  });

  test('nobody signs twice or for another, and the terms are the signed ones', () => {
    always(({ before, act, after }) => {
      expect(after.terms_digest).toBe(terms);
      for (const [index, party] of after.sides.entries()) {
        const was = before.sides[index] as AgreementParty;
        if (was.signedAt !== null)
          expect([party.signedAt, party.signature]).toEqual([was.signedAt, was.signature]);
        else if (party.signedAt !== null) {
          expect(act).toMatchObject({ kind: 'sign', ai: party.ai, termsDigest: terms });
          expect(was.box).toBe('inbox');
        }
      }
    });
  });

  test('each side reports its outcome once, and a dispute stays', () => {
    always(({ before, after, refusal, act }) => {
      for (const [index, party] of after.sides.entries()) {
        const was = before.sides[index] as AgreementParty;
        if (was.settled !== null) expect(party.settled).toBe(was.settled);
      }
      if (isDisputed(before)) {
        expect(isDisputed(after)).toBe(true);
        expect(after.status).toBe('ready');
      }
      if (act.kind === 'settle' && refusal !== undefined)
        expect(['not_waiting', 'already_settled', 'no_permission']).toContain(refusal);
    });
  });

  test('an open agreement waits for the sides that can act, and has a deadline', () => {
    always(({ after, at }) => {
      expect(followsFrom(after).due_at === null).toBe(after.status !== 'open');
      for (const party of after.sides) {
        if (waitsFor(after, party)) {
          const act: Act =
            after.status === 'open'
              ? { kind: 'sign', ai: party.ai, termsDigest: terms, signature: null }
              : { kind: 'settle', ai: party.ai, outcome: 'kept', note: '' };
          expect(next(after, act, at)).not.toBe(after);
        }
        if (waitsForOwner(after, party)) expect(hasSigned(party)).toBe(false);
        if (party.box !== 'inbox')
          expect([waitsFor(after, party), waitsForOwner(after, party)]).toEqual([false, false]);
      }
      for (const errand of errandsOf(after)) expect(errand.side.box).toBe('inbox');
      if (after.status === 'open') {
        const later = next(after, { kind: 'pass' }, Math.max(at, 20 * hour));
        expect(later).toMatchObject({ status: 'declined', why: 'expired' });
      }
    });
  });
});
