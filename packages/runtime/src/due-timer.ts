import type { Clock } from '@hearth/clock';
import type { Fragment } from '@hearth/db';
import type { Logger } from '@hearth/telemetry';

/** When something is due next, as the database knows it. */
export interface NextDue {
  /**
   * SQL for one timestamptz; null if nothing waits, `-infinity` for now. It is queried often, so an index should answer
   * it.
   */
  sql?: Fragment;
  /** The clock that the time refers to: the home's (default), or Postgres's, in which case it is never infinite. */
  by?: 'home' | 'database';
  /** Also run at the start and after the clock was set back, for times that may now be too far ahead. */
  atStart?: boolean;
  /** A time by the home's clock that this process knows itself; undefined for none. */
  known?: () => number | undefined;
  /**
   * How soon after a write of this process the database is asked (default 500 milliseconds). Longer for work that a
   * request does itself right after its commit, leaving only failures to the job.
   */
  afterWritesMs?: number;
}

const usualAfterWritesMs = 500;

export interface DueWork {
  name: string;
  /** How soon it runs again while something stays due. */
  paceMs: number;
  next: NextDue;
  /** Never rejects. */
  run(): Promise<void>;
}

export interface DueTimer {
  add(work: DueWork): void;
  start(): void;
  /** Reports a write of this process, after which something may be due earlier. */
  written(): void;
  /** Reports that another process learned when work is due. */
  heard(name: string, at: number): void;
  /** Asks again, because signals were missed or the clock was set back. */
  again(): void;
  /** Starts nothing more, and waits for work in hand. */
  stop(): Promise<void>;
}

export interface DueTimerOptions {
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  /**
   * Asks the database when each kind of work is due next, in one statement: times of the home's clock, or milliseconds
   * from now for Postgres's clock; null for never.
   */
  ask(works: readonly DueWork[]): Promise<(number | null)[]>;
  /** Tells the other processes that work is due at that time, earlier than known before. */
  tell(name: string, at: number): void;
  /** Milliseconds of a monotonic clock. */
  steadyMs?: () => number;
}

/** The longest time until work is found that another process left, or wrote just before it died. */
export const safetyMs = 20_000;
/** The clock may be set, so a due time is compared with it this often. */
const longestSleepMs = 1_000;
const pauseAfterFailureMs = 1_000;
/** After this many failures in a row, the work runs at its pace without asking: a missing answer must not stop it. */
const mostFailures = 3;

/** Work that is asked about together, at most once in `afterWritesMs`. */
interface Group {
  afterWritesMs: number;
  members: Member[];
  /** Whether something was written since the last answer was requested. */
  stale: boolean;
  asking: Promise<void> | undefined;
  /** By the monotonic clock. */
  askedAt: number;
  notBefore: number;
}

interface Member {
  work: DueWork;
  /** By the clock that the work refers to. */
  dueAt: number;
  /** By the monotonic clock. */
  notBefore: number;
  running: Promise<void> | undefined;
}

/**
 * Runs work when it is due, without constantly polling the database. It asks when each kind of work is due next after
 * this process's writes, after each run, and every 20 seconds for other processes' writes. In between it only compares
 * clocks.
 */
export function createDueTimer(options: DueTimerOptions): DueTimer {
  const { clock, log, ask, tell, steadyMs = () => performance.now() } = options;
  const groups: Group[] = [];
  let timer: NodeJS.Timeout | undefined;
  let started = false;
  let stopped = false;
  let failures = 0;

  const now = ({ work }: Member) => (work.next.by === 'database' ? steadyMs() : clock.now());
  const dueIn = (member: Member) => {
    const known = member.work.next.known?.();
    const own = known === undefined ? Number.POSITIVE_INFINITY : known - clock.now();
    return Math.max(Math.min(member.dueAt - now(member), own), member.notBefore - steadyMs());
  };
  const longestSleep = ({ dueAt, work: { next } }: Member) => {
    const toReach =
      next.known?.() !== undefined || (next.by !== 'database' && dueAt < Number.POSITIVE_INFINITY);
    return toReach ? longestSleepMs : safetyMs;
  };
  const askIn = (group: Group) => {
    const next = group.askedAt + (group.stale ? group.afterWritesMs : safetyMs);
    return Math.max(next, group.notBefore) - steadyMs();
  };

  function schedule(): void {
    clearTimeout(timer);
    if (!started || stopped) return;
    let pause = safetyMs;
    for (const group of groups) {
      if (group.asking === undefined) pause = Math.min(pause, askIn(group));
      for (const member of group.members) {
        if (member.running !== undefined) continue;
        pause = Math.min(pause, dueIn(member), longestSleep(member));
      }
    }
    // Rounded up: an early timer would find nothing due, and start over.
    timer = setTimeout(tick, Math.max(0, Math.ceil(pause)));
    timer.unref();
  }

  function tick(): void {
    for (const group of groups) {
      if (group.asking === undefined && askIn(group) <= 0) group.asking = askAbout(group);
      for (const member of group.members)
        if (member.running === undefined && dueIn(member) <= 0) member.running = runNow(member, group);
    }
    schedule();
  }

  async function askAbout(group: Group): Promise<void> {
    group.stale = false;
    group.askedAt = steadyMs();
    try {
      const members = group.members.filter(({ work }) => work.next.sql !== undefined);
      const answers = await ask(members.map(({ work }) => work));
      for (const [index, member] of members.entries()) learn(member, answers[index] ?? null);
      failures = 0;
    } catch (err) {
      failures += 1;
      if (failures === 1) log.warn({ err }, 'the database could not say what is due; it is asked again');
      if (failures >= mostFailures)
        for (const member of group.members) member.dueAt = Number.NEGATIVE_INFINITY;
      group.stale = true;
      group.notBefore = steadyMs() + pauseAfterFailureMs;
    }
    group.asking = undefined;
    schedule();
  }

  function learn(member: Member, answer: number | null): void {
    const { name, next } = member.work;
    if (next.by === 'database') {
      member.dueAt = answer === null ? Number.POSITIVE_INFINITY : steadyMs() + answer;
      return;
    }
    const earlier = answer !== null && answer < member.dueAt;
    member.dueAt = answer ?? Number.POSITIVE_INFINITY;
    // Work that is due now is done here.
    if (earlier && answer > clock.now() && Number.isFinite(answer)) tell(name, answer);
  }

  async function runNow(member: Member, group: Group): Promise<void> {
    member.dueAt = Number.POSITIVE_INFINITY;
    await member.work.run();
    member.running = undefined;
    member.notBefore = steadyMs() + member.work.paceMs;
    group.stale = true;
    schedule();
  }

  function groupOf(afterWritesMs: number): Group {
    let group = groups.find((candidate) => candidate.afterWritesMs === afterWritesMs);
    if (group === undefined) {
      const never = Number.NEGATIVE_INFINITY;
      group = {
        afterWritesMs,
        members: [],
        stale: true,
        asking: undefined,
        askedAt: never,
        notBefore: never,
      };
      groups.push(group);
    }
    return group;
  }

  return {
    add(work) {
      const group = groupOf(work.next.afterWritesMs ?? usualAfterWritesMs);
      group.stale = true;
      group.members.push({
        work,
        dueAt: work.next.atStart ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
        notBefore: Number.NEGATIVE_INFINITY,
        running: undefined,
      });
      schedule();
    },
    start() {
      started = true;
      schedule();
    },
    written() {
      if (groups.every(({ stale }) => stale)) return;
      for (const group of groups) group.stale = true;
      schedule();
    },
    heard(name, at) {
      for (const group of groups)
        for (const member of group.members) {
          if (member.work.name !== name) continue;
          member.dueAt = Math.min(member.dueAt, at);
          // An answer in flight may be older than the signal.
          group.stale ||= group.asking !== undefined;
        }
      schedule();
    },
    again() {
      for (const group of groups) {
        group.stale = true;
        for (const member of group.members)
          if (member.work.next.atStart === true) member.dueAt = Number.NEGATIVE_INFINITY;
      }
      schedule();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.all(
        groups.flatMap(({ asking, members }) => [asking, ...members.map(({ running }) => running)]),
      );
    },
  };
}
