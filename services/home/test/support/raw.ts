import { connect } from 'node:net';

/** Writes these bytes to a port; returns what came back until the other side closed or fell silent. */
export function sendRaw(port: number, bytes: string | Buffer, silenceMs = 300): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    let timer = setTimeout(end, silenceMs + 1_000);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(end, silenceMs);
    });
    socket.on('close', end);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') end();
      else reject(error);
    });
  });
}

/** The statuses of the answers in `sendRaw`'s result, in order. */
export function statusesOf(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
