import { createLru } from '@hearth/cache/lru';
import { second } from '@hearth/clock';

/** A request that is held for an owner. */
export interface OpenWait {
  /** When a wait must end, one for the same operation ends first. */
  operation: string;
  /** How many waits the owner may have open. */
  openWaits: number;
  supersede(): void;
}

/** An owner whose waits end each other more often than this within the window polls too fast. */
const endsAtOnce = 2;
const windowMs = 5 * second;
/** From then on, one wait ends per interval. */
const paceMs = second;
const maxOwners = 20_000;

/**
 * Bounds each owner's open waits: one more supersedes the oldest. Two loops that supersede each other would
 * poll again as fast as they are answered, so a fast owner's waits beyond the bound are held back, and end
 * one per second.
 */
export function createOpenWaits<W extends OpenWait>() {
  const waitsOf = new Map<string, Set<W>>();
  const endsOf = createLru<number[]>(maxOwners);
  const pacing = new Map<string, NodeJS.Timeout>();

  /** @param elsewhere how many of the owner's waits another gateway has just started to hold */
  function trim(owner: string, operation: string, elsewhere: number): void {
    const waits = [...(waitsOf.get(owner) ?? [])];
    const [oldest] = waits;
    if (oldest === undefined || waits.length + elsewhere <= oldest.openWaits || pacing.has(owner)) return;
    const now = performance.now();
    const ends = (endsOf.get(owner) ?? []).filter((at) => at > now - windowMs);
    if (ends.length <= endsAtOnce) {
      supersede(owner, operation, elsewhere);
      return;
    }
    const timer = setTimeout(() => {
      pacing.delete(owner);
      supersede(owner, operation, elsewhere);
      trim(owner, operation, 0);
    }, paceMs);
    pacing.set(owner, timer);
  }

  function supersede(owner: string, operation: string, elsewhere: number): void {
    const waits = [...(waitsOf.get(owner) ?? [])];
    if (waits.length + elsewhere <= (waits[0]?.openWaits ?? 0)) return;
    const older = elsewhere > 0 ? waits : waits.slice(0, -1);
    endsOf.set(owner, [...(endsOf.get(owner) ?? []).slice(-endsAtOnce), performance.now()]);
    (older.find((wait) => wait.operation === operation) ?? older[0])?.supersede();
  }

  return {
    add(owner: string, wait: W): void {
      const waits = waitsOf.get(owner) ?? new Set();
      waitsOf.set(owner, waits.add(wait));
      trim(owner, wait.operation, 0);
    },
    /** Returns whether the wait was open. */
    delete(owner: string, wait: W): boolean {
      const waits = waitsOf.get(owner);
      if (!waits?.delete(wait)) return false;
      if (waits.size === 0) waitsOf.delete(owner);
      return true;
    },
    /** Notes that another gateway started to hold a wait of this owner. */
    beganElsewhere: (owner: string, operation: string): void => trim(owner, operation, 1),
    all: (): W[] => [...waitsOf.values()].flatMap((waits) => [...waits]),
    /** How many are open, without those held back. */
    count(owner: string): number {
      const waits = waitsOf.get(owner);
      const [oldest] = waits ?? [];
      return Math.min(waits?.size ?? 0, oldest?.openWaits ?? 0);
    },
    close(): void {
      for (const timer of pacing.values()) clearTimeout(timer);
    },
  };
}
