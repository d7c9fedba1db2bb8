import { fragment } from '@hearth/db';
/** A row of messages.messages as the reads of this folder select it. */
export interface MessageRow {
  id: string;
  thread: string;
  sender: string;
  recipient: string;
  sender_seq: number;
  recipient_seq: number;
  sender_address: string;
  sender_name: string;
  sender_status: number;
  recipient_address: string;
  title: string | null;
  body: string;
  data: Record<string, unknown> | null;
  reply_to: string | null;
  request_kind: number;
  via: number;
  box: number;
  at: Date;
  read_at: Date | null;
  retracted_at: Date | null;
  /** Sees it first, when that is not the recipient. */
  holder: string | null;
  /** The kind of request as which it counts for the recipient, when it is another than the sender said. */
  counts_as: number | null;
  /** Delivery of a message to another home, once that home has it or will not; null until then, and for all others. */
  delivery: number | null;
  /** Says why it is undeliverable. */
  why: string | null;
}

/** The columns of the table alias `m`. */
export const messageColumns = fragment`
  m.id, m.thread, m.sender, m.recipient, m.sender_seq, m.recipient_seq, m.sender_address, m.sender_name,
  m.sender_status, m.recipient_address, m.title, m.body, m.data, m.reply_to, m.request_kind, m.via, m.box,
  m.at, m.read_at, m.retracted_at, m.holder, m.counts_as, m.delivery, m.why`;
