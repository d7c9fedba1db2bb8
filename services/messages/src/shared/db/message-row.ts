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
  /** uuid of whoever sees it before the recipient; null if no one does. */
  holder: string | null;
  /** The kind that the recipient assigned to the request, if it differs from the sender's. */
  counts_as: number | null;
  /** For a message to another home: its Delivery, once that home has it or refused it. Otherwise null. */
  delivery: number | null;
  /** Why it is undeliverable. */
  why: string | null;
}

/** Columns from the table alias `m`. */
export const messageColumns = fragment`
  m.id, m.thread, m.sender, m.recipient, m.sender_seq, m.recipient_seq, m.sender_address, m.sender_name,
  m.sender_status, m.recipient_address, m.title, m.body, m.data, m.reply_to, m.request_kind, m.via, m.box,
  m.at, m.read_at, m.retracted_at, m.holder, m.counts_as, m.delivery, m.why`;
