/** The way on which messages travel between the parties of a server, which are numbered from 0. */
export interface Wire {
  readonly parties: number;
  /** Resolves once the server has taken the message; rejects with its answer when it refuses. */
  send(from: number, to: number, text: string, requestId?: string): Promise<void>;
  /** Receives what comes for each party from now on. */
  receive(onText: (text: string) => void, onError: (words: string) => void): void;
  close(): void;
}
