import type { OutboundKind, Send } from './kind.ts';

/** Sends what is due, for every kind that was added. */
export interface Outbound {
  add<S extends Send>(kind: OutboundKind<S>): void;
  /** Something became due, at these destinations if they are known: for right after a commit. */
  kick(destinations?: readonly string[]): void;
  /** Takes nothing new; resolves when what is in hand has ended and its destinations are left to others. */
  stop(): Promise<void>;
}
