// Talking to the server: questions over HTTP, searches over a WebSocket.

/** Ask the server something; an Error with its one line, and its status (0: no answer), if it refuses. */
export async function ask(what, body) {
  let answer;
  try {
    answer = await fetch(`api/${what}`, body === undefined ? {} : {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw refusal('the server does not answer: is it still running?', 0);
  }
  const said = await answer.json().catch(() => ({ error: `the server said ${answer.status}` }));
  if (!answer.ok) throw refusal(said.error || `the server said ${answer.status}`, answer.status);
  return said;
}

const refusal = (line, status) => Object.assign(new Error(line), { status });

/** Whether asking the same again makes no sense: the server has understood it and says no. */
export const isFinal = (error) => error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);

/** @type {WebSocket | null} */
let socket = null;
let number = 0;
const jobs = new Map();

function connect() {
  if (socket && socket.readyState <= WebSocket.OPEN) return socket;
  const url = new URL('api/live', location.href.split('#')[0]);
  url.protocol = url.protocol.replace('http', 'ws');
  const opened = new WebSocket(url);
  opened.addEventListener('message', (event) => {
    const said = JSON.parse(event.data);
    const job = jobs.get(said.id);
    if (!job) return;
    if (said.type === 'done' || said.type === 'error') jobs.delete(said.id);
    job(said);
  });
  opened.addEventListener('close', () => {
    const lost = [...jobs];
    jobs.clear();
    for (const [id, job] of lost) job({ type: 'error', id, lost: true, message: 'the connection was lost' });
  });
  socket = opened;
  return opened;
}

/** Start a job; `hear` is called with everything it says. Returns a function that stops it. */
export function start(message, hear) {
  const id = ++number;
  const live = connect();
  const text = JSON.stringify({ id, ...message });
  jobs.set(id, hear);
  if (live.readyState === WebSocket.OPEN) live.send(text);
  else live.addEventListener('open', () => { if (jobs.has(id)) live.send(text); }, { once: true });
  return () => {
    if (!jobs.has(id)) return;
    if (live.readyState === WebSocket.OPEN) live.send(JSON.stringify({ type: 'stop', id }));
    else jobs.delete(id);
  };
}
