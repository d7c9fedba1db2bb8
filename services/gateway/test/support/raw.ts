import { connect } from 'node:net';

/** Sends raw bytes, and `more` once an answer began; returns everything received until the connection ends. */
export function raw(port: number, text: string, more = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.setTimeout(500, () => socket.end());
    socket.once('data', () => socket.write(more));
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
