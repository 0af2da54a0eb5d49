extension MeshDrawing {
    /// The styles of the picture: colours for light and dark, and a size that fits the window or the sheet.
    ///
    /// A print is light, whatever its reader prefers on a screen.
    ///
    /// Everything that has a colour has a class, so that a reader's preference for dark changes all of it.
    static let style = """
        .mesh{--paper:#fbfaf7;--ink:#1f2933;--quiet:#57626e;--link:#6b7a89;--rim:#fff;--companion:#2667a8;\
        --repeater:#3a7d44;--room:#7a4b94;--sensor:#b3761d;--way:#0b5cad;--lost:#b3303f;--loss0:#8a97a4;--loss1:#c9a227;\
        --loss2:#dd8a1f;--loss3:#d9651f;--loss4:#cc3b2f;--loss5:#8f1027;\
        display:block;margin:auto;max-width:100%;max-height:100vh;background:var(--paper);color-scheme:light dark}
        @media screen and (prefers-color-scheme:dark){.mesh{--paper:#0d1117;--ink:#e6edf3;--quiet:#9aa6b2;--link:#8796a5;\
        --rim:#0d1117;--companion:#6cb0f5;--repeater:#6ec27a;--room:#c79be0;--sensor:#e0a458;--way:#7cc0ff;\
        --lost:#ff8b91;--loss0:#67737f;--loss1:#b9952b;--loss2:#dd8f33;--loss3:#ee7a3c;--loss4:#ff6a5e;--loss5:#ff8fb0}}
        @media print{@page{margin:12mm}.mesh{--paper:#fff;color-scheme:light;max-height:95vh;break-inside:avoid}}
        .paper{fill:var(--paper)}
        .mesh text{fill:var(--ink)}
        .mesh .quiet{fill:var(--quiet)}.mesh .alarm{fill:var(--lost)}.mesh .bold{font-weight:bold}
        .name{stroke:var(--paper);stroke-width:3;paint-order:stroke;text-anchor:middle}
        .lead{stroke:var(--quiet);stroke-width:.6}
        .link{stroke:var(--link)}.bar{stroke:var(--ink);fill:none}
        .companion{fill:var(--companion)}.repeater{fill:var(--repeater)}.room_server{fill:var(--room)}\
        .sensor{fill:var(--sensor)}
        .node{stroke:var(--rim);stroke-width:1}
        .loss0{--loss:var(--loss0)}.loss1{--loss:var(--loss1)}.loss2{--loss:var(--loss2)}.loss3{--loss:var(--loss3)}\
        .loss4{--loss:var(--loss4)}.loss5{--loss:var(--loss5)}
        .load{stroke:var(--loss)}.halo{fill:var(--loss);fill-opacity:.4}.swatch{fill:var(--loss)}
        .way{stroke:var(--way);fill:none}.tip{fill:var(--way)}
        .heard{stroke:var(--way);fill:none;stroke-opacity:.45}
        .died{stroke:var(--lost);fill:none;stroke-dasharray:5 4}
        .aside{opacity:.3}

        """
}
