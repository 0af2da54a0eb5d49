// How the page looks, and the few lines that filter it.
extension HTMLReport {
    static let style = """
        :root{color-scheme:light dark;--page:#f4f2ed;--card:#fbfaf7;--text:#1f2933;--quiet:#57626e;--line:#d5dae0;\
        --accent:#1f5f9e;--kept:#1f6b33;--kept-tint:#dcefe0;--broken:#a82a3a;--broken-tint:#f8dfe1;--na:#6b4080;\
        --na-tint:#ece0f1;--notrun:#4b5661;--notrun-tint:#e4e7eb;--code:#eceae4}
        @media screen and (prefers-color-scheme:dark){:root{--page:#0d1117;--card:#161b22;--text:#e6edf3;\
        --quiet:#9aa6b2;--line:#30363d;--accent:#6cb0f5;--kept:#6ec27a;--kept-tint:#15301c;--broken:#ff8b91;\
        --broken-tint:#3d1a1f;--na:#c79be0;--na-tint:#2d1f38;--notrun:#aab4be;--notrun-tint:#262c34;--code:#0d1117}}
        *{box-sizing:border-box}
        html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;scroll-behavior:smooth}
        body{margin:0 auto;padding:0 clamp(.75rem,3vw,2.5rem) 3rem;max-width:96rem;background:var(--page);\
        color:var(--text);overflow-wrap:break-word}
        h1,h2,h3,h4,p,ul,dl,figure{margin:0}
        ul{padding:0;list-style:none}
        a{color:var(--accent)}
        code,pre,.id,.hex,.ids{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
        font-size:.86em}
        pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--code);border-radius:.4rem;padding:.6rem .75rem;\
        margin:.25rem 0}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        .skip{position:absolute;left:-100vw}.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.5rem 1rem}
        .quiet,footer{color:var(--quiet)}
        .card{background:var(--card);border:1px solid var(--line);border-radius:.75rem}
        .top{padding:2rem 0 0;display:grid;gap:1rem}
        .overline{text-transform:uppercase;letter-spacing:.08em;font-size:.8rem;font-weight:600;color:var(--quiet)}
        h1{font-size:clamp(1.7rem,6vw,2.6rem);line-height:1.15}
        h2{font-size:1.35rem;margin:2.5rem 0 .75rem}
        h3{font-size:1.1rem;line-height:1.35;margin-top:.4rem}
        h4{font-size:.78rem;text-transform:uppercase;letter-spacing:.07em;color:var(--quiet);margin:1.1rem 0 .35rem}
        .kept{--ink:var(--kept);--tint:var(--kept-tint)}.broken,.failed,.invalid{--ink:var(--broken);--tint:var(--broken-tint)}
        .na,.differs,.lacks{--ink:var(--na);--tint:var(--na-tint)}.notrun{--ink:var(--notrun);--tint:var(--notrun-tint)}
        .verdict,.count{color:var(--ink)}
        .badge{display:inline-block;white-space:nowrap;color:var(--ink);background:var(--tint);border-radius:1rem;\
        padding:.05rem .6rem;font-size:.8rem;font-weight:600}
        .tag{display:inline-block;border:1px solid var(--line);border-radius:.3rem;padding:0 .4rem;font-size:.76rem;\
        color:var(--quiet)}
        .facts{display:flex;flex-wrap:wrap;gap:.4rem 1.75rem}
        .facts dt{font-size:.78rem;color:var(--quiet)}
        .facts dd{margin:0;font-weight:600;overflow-wrap:anywhere}
        .alarm{background:var(--broken-tint);color:var(--broken);border-radius:.5rem;padding:.75rem 1rem}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem}
        .tile{background:var(--tint);border-radius:.75rem;padding:.7rem 1rem;color:var(--ink)}
        .tile.zero{background:none;box-shadow:inset 0 0 0 1px var(--line);color:var(--quiet)}
        .tile .number{display:block;font-size:1.9rem;font-weight:700;line-height:1.1;font-variant-numeric:tabular-nums}
        .tile .what{font-size:.9rem}
        .bar{display:flex;gap:2px;height:.6rem;border-radius:.3rem;overflow:hidden;background:var(--line)}
        .bar span{background:var(--ink);min-width:3px}
        nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
        nav a{font-weight:600}
        .failure{padding:1rem clamp(.75rem,2vw,1.5rem) 1.25rem;margin-bottom:1.25rem;\
        border-left:5px solid var(--broken)}
        .failure .id{margin-left:.35rem;font-weight:600}
        .reasons{display:grid;gap:.35rem;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",\
        monospace;font-size:.86rem}
        .reasons div{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.75rem}
        .reasons dt{color:var(--quiet)}
        .reasons dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
        .reasons dd.line{grid-column:1/-1}
        .reasons .got dd{color:var(--broken);font-weight:600}
        .command{position:relative}
        .command pre{padding-right:4.5rem}
        .copy{position:absolute;right:.4rem;top:.35rem;font:inherit;font-size:.8rem;color:var(--text);\
        background:var(--card);border:1px solid var(--line);border-radius:.35rem;padding:.1rem .6rem;cursor:pointer}
        .columns{display:grid;gap:0 2rem;grid-template-columns:minmax(0,1fr);margin-top:.25rem}
        .lanes figcaption{font-size:.78rem;text-transform:uppercase;letter-spacing:.07em;color:var(--quiet);\
        margin:1.1rem 0 .35rem}
        .lanes figcaption span{text-transform:none;letter-spacing:0}
        .scroll{overflow:auto;max-width:100%}
        .lanes .scroll{border:1px solid var(--line);border-radius:.5rem;padding-bottom:.35rem;background:var(--tl-paper)}
        .heads{position:sticky;top:0;z-index:1;min-width:max-content;background:var(--tl-paper);\
        border-bottom:1px solid var(--line)}
        .timeline{display:block;margin:0 auto}
        @media (min-width:64rem){.columns{grid-template-columns:minmax(0,max-content) minmax(22rem,1fr)}\
        .lanes .scroll{padding:0 .75rem .75rem}.lanes{max-width:52rem}}
        @media (max-width:30rem){.lanes{margin:0 -.5rem}.failure{padding-inline:.7rem}\
        .reasons div{grid-template-columns:minmax(0,1fr);gap:0}.timeline{min-width:100%;height:auto}}
        details>summary{cursor:pointer}
        .frame{border-top:1px solid var(--line);padding:.35rem 0;overflow-wrap:anywhere}
        .frame:last-child{border-bottom:1px solid var(--line)}
        .frame .time{font-variant-numeric:tabular-nums;color:var(--quiet);font-size:.85rem}
        .way{font-size:.76rem;border-radius:.3rem;padding:.05rem .4rem;white-space:nowrap;color:var(--tl-frame);\
        background:var(--code)}
        .way.air{color:var(--tl-packet)}
        table{border-collapse:collapse}
        .fields{width:100%;margin:.4rem 0;font-size:.86rem}
        .fields th,.fields td{text-align:left;vertical-align:top;padding:.12rem .6rem .12rem 0;overflow-wrap:anywhere}
        .fields thead th{font-weight:400;color:var(--quiet);font-size:.78rem}
        .fields tbody th{font-weight:600;white-space:nowrap;width:1%;padding-right:1.25rem}
        .fields tbody td{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
        .fields .offset{color:var(--quiet);width:2.5rem}
        .remark{color:var(--broken);font-size:.9rem}
        .filter{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;margin-bottom:.75rem}
        .filter input[type=search]{font:inherit;padding:.25rem .6rem;border:1px solid var(--quiet);border-radius:.4rem;\
        background:var(--card);color:var(--text);max-width:100%}
        .filter fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem}
        .filter legend{float:left;padding:0 .5rem 0 0}
        .filter[hidden]{display:none}
        section>p{margin-bottom:.6rem}section>.card{margin-bottom:.6rem}
        section>details.card{margin-bottom:.5rem;padding:.6rem 1rem}
        .group>summary{display:grid;grid-template-columns:minmax(12rem,1.3fr) minmax(6rem,1fr) minmax(11rem,1fr);\
        gap:.25rem 1.25rem;align-items:center}
        .name{font-weight:600;overflow-wrap:anywhere}
        .name::before{content:"▸";display:inline-block;width:1.1em;color:var(--quiet)}
        details[open]>summary>.name::before{content:"▾"}
        summary:has(>.name){list-style:none}summary:has(>.name)::-webkit-details-marker{display:none}
        .counts{font-size:.85rem;font-weight:600;display:flex;flex-wrap:wrap;gap:0 .8rem}
        @media (max-width:48rem){.group>summary{grid-template-columns:minmax(0,1fr)}}
        .entries{margin-top:.5rem}
        .entry{display:grid;grid-template-columns:8.5rem minmax(5.5rem,max-content) minmax(0,1fr);gap:.1rem .9rem;\
        padding:.35rem 0;border-top:1px solid var(--line);align-items:baseline}
        .entry .badge{justify-self:start}
        .entry[hidden],.group[hidden]{display:none}
        .id{overflow-wrap:anywhere}
        @media (max-width:48rem){.entry{grid-template-columns:max-content minmax(0,1fr)}.entry .said{grid-column:1/-1}}
        .grounds{font-size:.86rem;color:var(--quiet)}.grounds .reasons{margin:.3rem 0 .5rem;color:var(--text)}
        .without li{margin-top:.6rem}.ids{overflow-wrap:anywhere}
        .tall{max-height:85vh}
        .matrix{font-size:.82rem;font-variant-numeric:tabular-nums}
        .matrix th,.matrix td{padding:.15rem .4rem;text-align:center;border-bottom:1px solid var(--line)}
        .matrix thead th,.matrix thead td{position:sticky;top:0;z-index:1;background:var(--card);vertical-align:bottom}
        .matrix thead span{writing-mode:vertical-rl;transform:rotate(180deg);white-space:nowrap;font-weight:600}
        .matrix tbody th{position:sticky;left:0;background:var(--card);text-align:left;font-weight:600;\
        white-space:nowrap}
        .matrix thead td:first-child{left:0;z-index:2}
        .matrix .never,.states .never .number{background:var(--broken-tint);color:var(--broken);font-weight:700}
        .matrix .seen1,.matrix .seen2,.matrix .seen3{color:var(--kept)}
        .matrix .seen2{background:color-mix(in srgb,var(--kept-tint) 50%,var(--card))}
        .matrix .seen3{background:var(--kept-tint)}
        .chip{display:inline-block;border:1px solid var(--line);border-radius:.3rem;padding:0 .35rem;margin:.1rem 0;\
        white-space:nowrap}
        .matrix.named td{text-align:left;vertical-align:top;min-width:9rem}
        .matrix.named tbody th{vertical-align:top}
        .matrix.named thead span{writing-mode:horizontal-tb;transform:none}
        .matrix.named thead th{text-align:left}
        @media (max-width:30rem){.matrix tbody th{min-width:8.5rem;max-width:8.5rem;white-space:normal;\
        overflow-wrap:anywhere}}
        .states{width:100%}.states th,.states td{padding:.3rem .75rem;border-bottom:1px solid var(--line);\
        text-align:left}
        .states th{font-weight:400}.states thead th{color:var(--quiet);font-size:.8rem}
        .states .number{white-space:nowrap;font-weight:600}
        .share{width:40%}.share span{display:block;height:.6rem;border-radius:.3rem;background:var(--kept)}
        footer{margin-top:3rem;font-size:.85rem}
        @media print{:root{color-scheme:light}.filter,.copy,nav,.skip{display:none}body{background:none}.card{break-inside:avoid}\
        .tall{max-height:none}}

        """

    /// The buttons that copy a command.
    static let copying = """
        (() => {
          for (const button of document.querySelectorAll(".copy")) {
            if (!navigator.clipboard) break;
            button.hidden = false;
            button.addEventListener("click", () => {
              const text = button.parentElement.querySelector("code").textContent;
              navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; }, () => {});
            });
          }
        })();

        """

    /// The filter of a report's entries.
    static let filtering = """
        (() => {
          const form = document.getElementById("filter");
          if (!form) return;
          const words = document.getElementById("words"), found = document.getElementById("found");
          const entries = [...document.querySelectorAll(".entry")], groups = [...document.querySelectorAll(".group")];
          const wasOpen = groups.map(group => group.open);
          const apply = () => {
            const text = words.value.trim().toLowerCase();
            const shown = new Set([...form.querySelectorAll("input:checked")].map(box => box.value));
            let count = 0;
            for (const entry of entries) {
              entry.hidden = !shown.has(entry.dataset.verdict) || !entry.textContent.toLowerCase().includes(text);
              if (!entry.hidden) count += 1;
            }
            groups.forEach((group, index) => {
              group.hidden = !group.querySelector(".entry:not([hidden])");
              group.open = text ? true : wasOpen[index];
            });
            found.textContent = count === entries.length ? "" : `${count} of ${entries.length}`;
          };
          form.hidden = false;
          form.addEventListener("input", apply);
          form.addEventListener("submit", event => event.preventDefault());
        })();

        """
}
