import { createServer, type ServerResponse } from 'node:http';
import type { PaperRoll } from './paper-roll.ts';

type Watched = PaperRoll & { refused?: number | null };

/** A page on this machine that shows the paper of a simulated printer, with what a person can do to one. */
export async function servePaper(
  printer: Watched,
  { title, port }: { title: string; port: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const watchers = new Set<ServerResponse>();
  const actions: Record<string, () => void> = {
    'run-out': printer.runOutOfPaper,
    'run-low': printer.runLow,
    refill: printer.refill,
    'open-cover': printer.openCover,
    'close-cover': printer.closeCover,
  };
  const state = () => {
    const { papers, openings, paper, cover, refused = null } = printer;
    const shown = [
      ...papers.map(({ at, isWhole, drawer, buzzer, text }, index) => ({ at, index, isWhole, drawer, buzzer, text })),
      ...openings.map((at) => ({ at, drawer: 1 })),
    ];
    return JSON.stringify({ paper, cover, refused, out: shown.toSorted((a, b) => a.at.getTime() - b.at.getTime()) });
  };
  const tell = () => {
    for (const watcher of watchers) watcher.write(`data: ${state()}\n\n`);
  };
  printer.onChange(tell);
  // What the server answers is no change of the paper.
  const looking = setInterval(tell, 2_000).unref();

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://printer');
    const [, kind = '', name = ''] = pathname.split('/');
    const action = actions[name];
    if (request.method === 'POST' && kind === 'do' && action) {
      action();
      response.writeHead(204).end();
    } else if (kind === 'events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(`data: ${state()}\n\n`);
      watchers.add(response);
      response.on('close', () => watchers.delete(response));
    } else if (kind === 'paper') sendPaper(printer, Number(name), response);
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(title));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`,
    async close() {
      clearInterval(looking);
      for (const watcher of watchers) watcher.end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendPaper({ papers }: PaperRoll, index: number, response: ServerResponse): void {
  const drawn = papers[index]?.draw();
  if (drawn) response.writeHead(200, { 'content-type': drawn.type, 'cache-control': 'max-age=3600' }).end(drawn.bytes);
  else response.writeHead(404).end();
}

const pageOf = (title: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title><style>
body{margin:0;background:#d9dde1;color:#1c2024;font:16px/1.4 system-ui,sans-serif}
header{position:sticky;top:0;padding:12px 16px;background:#2b3036;color:#fff;display:flex;flex-wrap:wrap;gap:8px;align-items:center}
h1{margin:0 auto 0 0;font-size:18px}button{min-height:40px;padding:0 14px;border:0;border-radius:6px;background:#fff;font:inherit;cursor:pointer}
#state{padding:12px 16px;font-weight:600}#state.bad{background:#b42318;color:#fff}
main{display:flex;flex-direction:column;align-items:center;gap:20px;padding:20px 8px}
figure{margin:0;padding:14px 10px 22px;background:#fff;box-shadow:0 2px 8px #0004;max-width:calc(100vw - 40px);animation:out .8s ease-out}
figure.cut-off{border-bottom:6px dotted #b42318}img{display:block;width:384px;max-width:100%;height:auto;image-rendering:pixelated}
pre{margin:0;white-space:pre-wrap;font:13px/1.3 monospace}figcaption{font-size:13px;color:#555;margin-bottom:8px}
@keyframes out{from{clip-path:inset(0 0 100% 0);transform:translateY(-20px)}}@media(prefers-reduced-motion){figure{animation:none}}
</style><header><h1>${title}</h1><button data-do="run-out">Take the paper out</button><button data-do="run-low">Paper is low</button>
<button data-do="refill">Put a new roll in</button><button data-do="open-cover">Open the cover</button><button data-do="close-cover">Close the cover</button></header>
<div id="state" role="status">Connecting…</div><main></main><script>
const main=document.querySelector('main'),line=document.querySelector('#state');let shown=0;
for(const b of document.querySelectorAll('button'))b.onclick=()=>fetch('/do/'+b.dataset.do,{method:'POST'});
const events=new EventSource('/events');
events.onerror=()=>{line.textContent='The printer program has ended.';line.className='bad'};
events.onmessage=({data})=>{const s=JSON.parse(data);
const words=s.refused?'The shop refuses the name or the secret ('+s.refused+').':s.cover==='open'?'The cover is open.':s.paper==='out'?'There is no paper.':s.paper==='low'?'The paper is low.':'Ready.';
line.textContent=words+(s.out.length?'':' Nothing was printed yet.');line.className=s.refused||s.cover==='open'||s.paper==='out'?'bad':'';
for(;shown<s.out.length;shown++){const p=s.out[shown],f=document.createElement('figure'),c=document.createElement('figcaption'),i=new Image();
if(p.index===undefined){const t=document.createElement('p');t.textContent=new Date(p.at).toLocaleTimeString()+' · The drawer opened, without paper.';main.prepend(t);continue}
f.className=p.isWhole?'':'cut-off';c.textContent=new Date(p.at).toLocaleTimeString()+(p.drawer?' · the drawer opened':'')+(p.buzzer?' · it beeped':'')+(p.isWhole?'':' · cut off');
i.alt=p.text;i.src='/paper/'+p.index;i.onerror=()=>{const t=document.createElement('pre');t.textContent=p.text;i.replaceWith(t)};
f.append(c,i);main.prepend(f)}}
</script></html>`;
