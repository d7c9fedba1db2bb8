/** A mail as another service asks for it. */
export interface MailRequest {
  to: string;
  subject: string;
  text: string;
  html: string;
  kind: string;
}

/** The home's mail. */
export interface Mailer {
  /**
   * Throws bad_request for a mail that cannot be sent, unavailable when it was not taken.
   *
   * @param mail `id`: a uuid by which the mail, sent again after a crash, is known for the same
   */
  send(mail: MailRequest & { id?: string }, signal: AbortSignal): Promise<void>;
}
