/** Transports messages between the parties of a server, which are numbered from 0. */
export interface Wire {
  readonly parties: number;
  /** Resolves once the server accepts the message; rejects with its answer if it refuses. */
  send(from: number, to: number, text: string, requestId?: string): Promise<void>;
  /** Receives all further messages to any party. */
  receive(onText: (text: string) => void, onError: (words: string) => void): void;
  close(): void;
}
