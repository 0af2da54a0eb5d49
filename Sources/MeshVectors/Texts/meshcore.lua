-- MeshCore for Wireshark and tshark: packets on the air (LoRaTap), and frames between apps and radios (Bluetooth, TCP).
-- Made by `meshbed capture dissector`; the tables are printed from the walks of the codecs, so it is not to be edited.
--
--     tshark -X lua_script:meshcore.lua -r mesh.pcap -V
--
-- Fields have the firmware's names, as in `meshcore.packet.path_len` and `meshcore.cmd_set_radio_params.freq`.

--@TABLES@

local meshcore = Proto("meshcore", "MeshCore")
local frames = Proto("meshcore_frame", "MeshCore companion frame")
local bluetooth = Proto("meshcore_bluetooth", "MeshCore over Bluetooth")

-- Fields -----------------------------------------------------------------------------------------------------------

local fields, by_name = {}, {}

local function slug(name) return (name:lower():gsub("[^a-z0-9_]", "_"):gsub("_+$", "")) end

local function register(context, name, make)
  local key = context .. "\0" .. name
  if not by_name[key] then
    by_name[key] = make("meshcore." .. context .. "." .. slug(name))
    fields[#fields + 1] = by_name[key]
  end
end

local unsigned = { [1] = ProtoField.uint8, [2] = ProtoField.uint16, [4] = ProtoField.uint32 }
local signed = { [1] = ProtoField.int8, [2] = ProtoField.int16, [4] = ProtoField.int32 }

local function register_steps(context, index, seen)
  if seen[index] then return end
  seen[index] = true
  local node = nodes[index]
  for _, step in ipairs(node.s) do
    local kind, name, size = step[1], step[2], step[3]
    if kind == "u" then
      register(context, name, function(abbreviation)
        return unsigned[size](abbreviation, name, step[4] and base.HEX or base.DEC)
      end)
    elseif kind == "i" then
      register(context, name, function(abbreviation) return signed[size](abbreviation, name, base.DEC) end)
    elseif kind == "b" or kind == "B" then
      register(context, name, function(abbreviation) return ProtoField.bytes(abbreviation, name) end)
    elseif kind == "t" or kind == "T" then
      register(context, name, function(abbreviation) return ProtoField.string(abbreviation, name) end)
    end
  end
  for _, branch in ipairs(node.c or {}) do register_steps(context, branch[3], seen) end
end

local function context_of(name) return slug(name) end

register_steps("packet", envelope, {})
for _, payload in pairs(payloads) do register_steps(context_of(payload[1]), payload[2], {}) end
register_steps("advert", advert_data, {})
for _, list in ipairs({ commands, answers }) do
  for _, entry in pairs(list) do register_steps(context_of(entry[1]), entry[2], {}) end
end
local code_field = ProtoField.uint8("meshcore.code", "code", base.HEX)
local name_field = ProtoField.string("meshcore.name", "name of the frame")
local ignored_field = ProtoField.bytes("meshcore.ignored", "ignored")
fields[#fields + 1] = code_field
fields[#fields + 1] = name_field
fields[#fields + 1] = ignored_field
meshcore.fields = fields

local malformed = ProtoExpert.new("meshcore.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)
local refused = ProtoExpert.new("meshcore.refused", "Refused by radios", expert.group.PROTOCOL, expert.severity.WARN)
meshcore.experts = { malformed, refused }

-- Walking ----------------------------------------------------------------------------------------------------------

local function contains(ranges, value)
  for _, range in ipairs(ranges) do
    if value >= range[1] and value <= range[2] then return true end
  end
  return false
end

local function child_of(node, byte)
  local value = byte % node.m
  for _, branch in ipairs(node.c) do
    if value >= branch[1] and value <= branch[2] then return branch[3] end
  end
end

local function size_of(step, left)
  if step[1] == "B" or step[1] == "T" then return left end
  return step[3]
end

-- A walk in progress: where it is, where the bytes end, and the first field that cannot be read.
local Walk = {}
Walk.__index = Walk

function Walk.new(context, tvb, offset, stop, tree)
  return setmetatable({ context = context, tvb = tvb, offset = offset, stop = stop, tree = tree, values = {} }, Walk)
end

function Walk:field(step)
  local kind, name = step[1], step[2]
  local size = size_of(step, self.stop - self.offset)
  if self.offset + size > self.stop then
    self.failure = name
    return
  end
  if self.handles and self.handles(self, name, size) then return end
  if size > 0 then
    local field, range = by_name[self.context .. "\0" .. name], self.tvb(self.offset, size)
    if kind == "u" or kind == "i" then
      self.tree:add_le(field, range)
      self.values[name] = range:le_uint()
    elseif kind == "t" or kind == "T" then
      self.tree:add_packet_field(field, range, ENC_UTF_8)
    else
      self.tree:add(field, range)
    end
  end
  self.offset = self.offset + size
end

-- Reads the elements of a list: the steps behind it that make up its size. Returns how many these are.
function Walk:list(steps, place, size, count)
  local length, last = 0, place
  while length < size and steps[last + 1] do
    last = last + 1
    length = length + steps[last][3]
  end
  if count < 0 then count = math.floor((self.stop - self.offset) / math.max(size, 1)) end
  for _ = 1, count do
    for index = place + 1, last do
      if self.failure then return last - place end
      self:field(steps[index])
    end
  end
  return last - place
end

function Walk:run(index)
  local has_ended, skipped = false, 0
  while index do
    local node = nodes[index]
    local place = 1
    while place <= #node.s and not self.failure and not self.stopped do
      local step = node.s[place]
      if step[1] == "o" then
        if self.stop - self.offset < step[2] then has_ended = true end
        if has_ended then skipped = skipped + step[2] end
      elseif step[1] == "l" then
        place = place + self:list(node.s, place, step[2], step[3])
      elseif skipped > 0 then
        skipped = skipped - step[3]
      else
        self:field(step)
      end
      place = place + 1
    end
    if self.failure or self.stopped or not node.c then return self end
    index = child_of(node, self.tvb(self.offset - 1, 1):uint())
  end
  return self
end

local function report(walk, tree)
  if walk.failure then tree:add_proto_expert_info(malformed, "ends within " .. walk.failure) end
end

-- Packets on the air -----------------------------------------------------------------------------------------------

local function dissect_payload(header, tvb, offset, stop, tree)
  local payload = payloads[math.floor(header / 4) % 16]
  local walk = Walk.new(context_of(payload[1]), tvb, offset, stop, tree)
  walk.handles = function(self, name, size)
    -- A sealed payload needs a byte of ciphertext.
    if name == "ciphertext" and size == 0 then self.failure = name end
    if self.context ~= "advert" or name ~= "app_data" then return false end
    -- In place of the bytes: the fields that nodes read of them.
    local data = Walk.new("advert", tvb, self.offset, math.min(stop, self.offset + advert_data_limit), tree)
    report(data:run(advert_data), tree)
    self.offset = self.offset + size
    return true
  end
  report(walk:run(payload[2]), tree)
  return payload[1]
end

local function dissect_packet(tvb, tree)
  local subtree = tree:add(meshcore, tvb(), "MeshCore packet")
  if tvb:len() == 0 then
    subtree:add_proto_expert_info(malformed, "has no header")
    return "empty packet"
  end
  local header = tvb(0, 1):uint()
  local walk = Walk.new("packet", tvb, 0, tvb:len(), subtree)
  walk.handles = function(self, name)
    if name == "path" and contains(refused_lengths, self.values["path_len"]) then
      self.stopped = "path_len is invalid"
    end
    return self.stopped ~= nil
  end
  walk:run(envelope)
  report(walk, subtree)
  if contains(refused_headers, header) then walk.stopped = "the version is reserved" end
  if walk.stopped then subtree:add_proto_expert_info(refused, walk.stopped) end
  if walk.failure or walk.stopped then return "refused packet" end
  if tvb:len() - walk.offset > payload_limit then
    subtree:add_proto_expert_info(refused, "the payload is longer than " .. payload_limit .. " bytes")
    return "refused packet"
  end
  local name = dissect_payload(header, tvb, walk.offset, tvb:len(), subtree)
  subtree:append_text(", " .. name)
  return name
end

function meshcore.dissector(tvb, pinfo, tree)
  pinfo.cols.protocol = "MeshCore"
  pinfo.cols.info = dissect_packet(tvb, tree)
  return tvb:len()
end

-- Frames between app and radio -------------------------------------------------------------------------------------

-- Fields of frames that hold a whole packet.
local holders = { raw = "push_code_log_rx_data", packet = "resp_code_export_contact" }

local function dissect_frame(tvb, tree, is_to_radio)
  local code = tvb(0, 1):uint()
  local entry = (is_to_radio and commands or answers)[code]
  local name = entry and entry[1] or string.format("unknown code 0x%02x", code)
  local subtree = tree:add(frames, tvb(), name)
  subtree:add(code_field, tvb(0, 1))
  subtree:add(name_field, tvb(0, 1), name)
  if not entry then return name end
  local walk = Walk.new(context_of(name), tvb, 1, tvb:len(), subtree)
  walk.handles = function(self, field, size)
    if size > 0 and holders[field] == self.context then dissect_packet(tvb(self.offset, size):tvb(), subtree) end
    return false
  end
  walk:run(entry[2])
  report(walk, subtree)
  if not walk.failure and walk.offset < tvb:len() then
    subtree:add(ignored_field, tvb(walk.offset, tvb:len() - walk.offset))
  end
  return name
end

-- TCP and serial lines: a marker and a length stand in front of each frame.

local to_radio, to_app = 0x3C, 0x3E
local header_size, longest = 3, 300

local function frame_length(tvb, _, offset) return header_size + tvb(offset + 1, 2):le_uint() end

local function dissect_framed(tvb, pinfo, tree)
  local marker = tvb(0, 1):uint()
  pinfo.cols.protocol = "MeshCore"
  if tvb:len() > header_size then
    pinfo.cols.info = dissect_frame(tvb(header_size):tvb(), tree, marker == to_radio)
  end
  return tvb:len()
end

function frames.dissector(tvb, pinfo, tree)
  dissect_tcp_pdus(tvb, tree, header_size, frame_length, dissect_framed)
  return tvb:len()
end

local function looks_framed(tvb, pinfo, tree)
  if tvb:len() < header_size + 1 then return false end
  local marker, length = tvb(0, 1):uint(), tvb(1, 2):le_uint()
  if (marker ~= to_radio and marker ~= to_app) or length == 0 or length > longest then return false end
  frames.dissector(tvb, pinfo, tree)
  return true
end

-- Bluetooth: a value that is written or notified is one frame.

local opcode = Field.new("btatt.opcode")
-- A value has another name where Wireshark knows the service by its discovery.
local values = { Field.new("btgatt.nordic.uart_tx"), Field.new("btgatt.nordic.uart_rx"), Field.new("btatt.value") }
local written, written_in_silence, notified = 0x12, 0x52, 0x1B

function bluetooth.dissector(_, pinfo, tree)
  local operation, content = opcode(), values[1]() or values[2]() or values[3]()
  if not operation or not content or content.len == 0 then return end
  local is_to_radio = operation.value == written or operation.value == written_in_silence
  if not is_to_radio and operation.value ~= notified then return end
  pinfo.cols.info = dissect_frame(content.range:bytes():tvb("frame"), tree, is_to_radio)
end

frames:register_heuristic("tcp", looks_framed)
register_postdissector(bluetooth)
-- The port of boards; another protocol of Wireshark's claims it.
DissectorTable.get("tcp.port"):add(5000, frames)
DissectorTable.get("wtap_encap"):add(wtap.USER0, meshcore)
-- The sync word of private networks, which MeshCore has.
DissectorTable.get("loratap.syncword"):add(0x12, meshcore)
