// Text whose contrast with what lies behind it is below the limit (arguments[0]): a line for each colour pair.
const parse = color => {
  const canvas = parse.canvas ??= document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = "#000";
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return {r, g, b, a: a / 255};
};
const over = (top, bottom) => ({
  r: top.r * top.a + bottom.r * (1 - top.a), g: top.g * top.a + bottom.g * (1 - top.a),
  b: top.b * top.a + bottom.b * (1 - top.a), a: 1,
});
const luminance = color => {
  const [r, g, b] = [color.r, color.g, color.b].map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one, other) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};
const background = element => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const color = parse(getComputedStyle(at).backgroundColor);
    if (color.a > 0) layers.push(color);
    if (color.a === 1) break;
  }
  return layers.reverse().reduce((below, layer) => over(layer, below), parse(matchMedia("(prefers-color-scheme: dark)")
    .matches ? "#121212" : "#fff"));
};
// In a picture shapes lie behind the text, as rectangles.
const behindInPicture = text => {
  const box = text.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  let color = background(text.ownerSVGElement);
  for (const shape of text.ownerSVGElement.querySelectorAll("rect")) {
    const area = shape.getBoundingClientRect();
    if (x < area.left || x > area.right || y < area.top || y > area.bottom) continue;
    const style = getComputedStyle(shape);
    const fill = parse(style.fill);
    color = over({...fill, a: fill.a * Number(style.fillOpacity)}, color);
  }
  return color;
};
const found = new Map();
let looked = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const words = walker.currentNode.data.trim();
  if (!words || element.closest("script, style, title, option, .skip")) continue;
  if (!element.checkVisibility({visibilityProperty: true})) continue;
  looked += 1;
  const inPicture = element.ownerSVGElement;
  const style = getComputedStyle(element);
  const back = inPicture ? behindInPicture(element) : background(element);
  const front = over(parse(inPicture ? style.fill : style.color), back);
  const ratio = contrast(front, back);
  if (ratio >= arguments[0]) continue;
  const key = `${JSON.stringify(front)} ${JSON.stringify(back)}`;
  if (!found.has(key)) found.set(key, `contrast ${ratio.toFixed(2)} of '${words.slice(0, 40)}' (${element.className.baseVal
    ?? element.className})`);
}
return looked > 10 ? [...found.values()] : [`only ${looked} texts found`];
