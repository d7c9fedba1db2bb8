import { second } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import { asHearthError } from '@hearth/errors';
import type { Bulkhead } from './bulkhead.ts';
import { type Finished, type Finishing, finishDestinations } from './destinations.ts';
import type { Deps } from './engine.ts';
import type { DueQuestion, OutboundKind, Outcome, Send, Settlement } from './kinds.ts';
import { recordAttempt, recordInFlight } from './metrics.ts';
import type { WorkerContext } from './worker.ts';

/** The database access of all workers of one kind, batched into one statement for concurrent requests. */
export interface KindRunner {
  readonly kind: Pick<OutboundKind<Send>, 'name'>;
  contextOf(bulkhead: Bulkhead): WorkerContext<Send>;
  /** Resolves once no writes are pending. */
  idle(): Promise<void>;
}

export interface RunnerContext extends Pick<Deps, 'clock' | 'database' | 'log' | 'schema'> {
  /** uuid of this process. */
  lease: string;
  /** Aborts attempts in flight. */
  signal: AbortSignal;
}

interface Asked {
  question: DueQuestion;
  queued: readonly unknown[] | undefined;
}

interface Settling<S extends Send> {
  outcome: Outcome<S>;
  finishing: Finishing | null;
}

/** The pause after a failure of the home itself: no signing key, no database. */
const pauseMs = 5 * second;

export function createKindRunner<S extends Send>(
  { clock, database, log, schema, lease, signal }: RunnerContext,
  kind: OutboundKind<S>,
): KindRunner {
  const now = () => new Date(clock.now());
  const { gatherMs: spacingMs = 0 } = kind;

  const dues = createCoalescer<Asked, S[]>({
    spacingMs,
    name: `batch of ${kind.name} sends due`,
    async run(all) {
      const asked = all.flatMap(({ question, queued }) => (queued === undefined ? question : []));
      const queued = all.flatMap((ask) => ask.queued ?? []);
      const found = await Promise.all([
        asked.length === 0 ? [] : kind.due(now(), asked),
        queued.length === 0 ? [] : kind.prepare!(now(), queued),
      ]);
      const sends = Map.groupBy(found.flat(), ({ destination }) => destination);
      return all.map(({ question }) => sends.get(question.destination) ?? []);
    },
  });
  const settles = createCoalescer<Settling<S>, Finished | 'kept'>({
    name: `batch of ${kind.name} outcomes`,
    spacingMs,
    splitOnError: true,
    async run(settling) {
      const settled = kind.settle(settling.map(({ outcome }) => outcome));
      if (!('sql' in settled)) {
        await settled;
        return settling.map(() => 'kept');
      }
      const became = await release(
        settling.flatMap(({ finishing }) => finishing ?? []),
        settled,
      );
      settled.written?.();
      return settling.map(({ finishing }) =>
        finishing === null ? 'kept' : (became.get(finishing.id) ?? 'lost'),
      );
    },
  });
  const finishes = createCoalescer<Finishing, Finished>({
    name: `batch of ${kind.name} destinations released`,
    async run(finishing) {
      const became = await release(finishing);
      return finishing.map(({ id }) => became.get(id) ?? 'lost');
    },
  });
  const release = (finishing: readonly Finishing[], settled?: Settlement) =>
    database.statement((tx) =>
      finishDestinations(tx, { ...kind, schema }, { lease, now: now() }, finishing, settled),
    );

  async function attempt(send: S): Promise<Outcome<S> | null> {
    recordInFlight(kind, 1);
    let outcome: Outcome<S> | null = null;
    try {
      outcome = await kind.attempt(send, signal);
    } catch (err) {
      log.error({ err, kind: kind.name, destination: send.destination }, 'an attempt failed unexpectedly');
    }
    recordInFlight(kind, -1);
    recordAttempt(kind, outcome);
    return outcome;
  }

  const orElse =
    <T>(words: string, otherwise: T) =>
    (err: unknown): T => {
      const level = asHearthError(err).kind === 'internal' ? 'error' : 'warn';
      log[level]({ err, kind: kind.name }, words);
      return otherwise;
    };

  return {
    kind,
    contextOf: (bulkhead) =>
      ({
        kind,
        bulkhead,
        due: (question, queued) =>
          dues.add({ question, queued }).catch(orElse('what is due could not be read', null)),
        attempt,
        settle: (outcome, finishing) =>
          settles
            .add({ outcome, finishing })
            .catch(orElse('what came of an attempt could not be written', null)),
        // The lease expires, and the process that takes over continues.
        finish: (finishing) =>
          finishes.add(finishing).catch(orElse('an address could not be released', 'lost' as const)),
        later: () => new Date(clock.now() + pauseMs),
      }) satisfies WorkerContext<S> as unknown as WorkerContext<Send>,
    async idle() {
      await Promise.all([dues.idle(), settles.idle(), finishes.idle()]);
    },
  };
}
