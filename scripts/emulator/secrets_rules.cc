// Which rule is whose. An instruction that is not listed is reported when it is executed, so no rule is missing silently. What
// would need a rule of its own and is not used by the library is not listed: XSAVE, VPCOMPRESS, x87, MMX and the like.

#include "secrets.h"
#include "secrets_general.h"
#include "secrets_vectors.h"

#include <map>

namespace secrets {

Rule rules[BX_IA_LAST];

namespace {

struct Group {
    Kind kind;
    unsigned what, element;
    const char *names;
};

const unsigned OPPOSITE = 64, ONLY_THIS_FLAG = 64;
const unsigned A = 1 << BX_64BIT_REG_RAX, B = 1 << BX_64BIT_REG_RBX, C = 1 << BX_64BIT_REG_RCX, D = 1 << BX_64BIT_REG_RDX;

// The names are those of Bochs' disassembler; "rep " before a string instruction tells it from one on vectors.
const Group groups[] = {
    // A flag that is turned over stays as secret as it was: cmc.
    {NOTHING, 0, 0,
        "cmc nop endbranch64 endbranch32 pause mfence lfence sfence cld std ldmxcsr vldmxcsr fldcw fwait fninit emms prefetchw prefetch "
        "prefetchnta prefetcht0 prefetcht1 prefetcht2 prefetch_hint clflush clflushopt clwb wrfsbase wrgsbase sysret ud2 int3 hlt"},

    {GENERAL, MOVE, 0, "mov movzx movnti"},
    {GENERAL, MOVE_SIGNED, 0, "movsx movsxd"},
    {GENERAL, SWAP_BYTES, 0, "bswap movbe"},
    {GENERAL, EXCHANGE, 0, "xchg"},
    {GENERAL, EXCHANGE_ADD, 0, "xadd"},
    {GENERAL, COMPARE_EXCHANGE, 0, "cmpxchg"},
    {GENERAL, LOAD_ADDRESS, 0, "lea"},
    {GENERAL, PUSH, 0, "push"},
    {GENERAL, POP, 0, "pop"},
    {GENERAL, LEAVE, 0, "leave"},
    {GENERAL, CALL, 0, "call"},
    {GENERAL, RETURN, 0, "ret"},
    {GENERAL, JUMP, 0, "jmp"},
    {GENERAL, ADD, 0, "add"},
    {GENERAL, SUBTRACT, 0, "sub"},
    {GENERAL, COMPARE, 0, "cmp"},
    {GENERAL, ADD_WITH, CF, "adc"},
    {GENERAL, ADD_WITH, CF | ONLY_THIS_FLAG, "adcx"},
    {GENERAL, ADD_WITH, OF | ONLY_THIS_FLAG, "adox"},
    {GENERAL, SUBTRACT_WITH, CF, "sbb"},
    {GENERAL, INCREMENT, 0, "inc dec"},
    {GENERAL, NEGATE, 0, "neg"},
    {GENERAL, AND, 0, "and"},
    {GENERAL, AND_NOT, 0, "andn"},
    {GENERAL, OR, 0, "or"},
    {GENERAL, XOR, 0, "xor"},
    {GENERAL, TEST, 0, "test"},
    {GENERAL, NOT, 0, "not"},
    {GENERAL, SHIFT_LEFT, 0, "shl"},
    {GENERAL, SHIFT_RIGHT, 0, "shr"},
    {GENERAL, SHIFT_SIGNED, 0, "sar"},
    {GENERAL, ROTATE_LEFT, 0, "rol"},
    {GENERAL, ROTATE_RIGHT, 0, "ror"},
    {GENERAL, ROTATE_CARRY, 0, "rcl rcr"},
    {GENERAL, SHIFT_TWO_LEFT, 0, "shld"},
    {GENERAL, SHIFT_TWO_RIGHT, 0, "shrd"},
    {GENERAL, SHIFT_LEFT_X, 0, "shlx"},
    {GENERAL, SHIFT_RIGHT_X, 0, "shrx"},
    {GENERAL, SHIFT_SIGNED_X, 0, "sarx"},
    {GENERAL, ROTATE_RIGHT_X, 0, "rorx"},
    {GENERAL, MULTIPLY, 0, "mul imul"},
    {GENERAL, MULTIPLY_X, 0, "mulx"},
    {GENERAL, DIVIDE, 0, "div idiv"},
    {GENERAL, TEST_BIT, 0, "bt"},
    {GENERAL, SET_BIT, 1, "bts btr"},
    {GENERAL, SET_BIT, 0, "btc"},
    {GENERAL, COUNT_BITS, 0, "popcnt"},
    {GENERAL, FIND_BIT, 1, "tzcnt bsf"},
    {GENERAL, FIND_BIT, 0, "lzcnt bsr"},
    {GENERAL, LOWEST_BIT, 0, "blsi blsr blsmsk"},
    {GENERAL, LOW_BITS, 0, "bzhi"},
    {GENERAL, EXTRACT_BITS, 0, "bextr"},
    {GENERAL, SCATTER_BITS, 0, "pdep pext"},
    {GENERAL, EXTEND_A, 1, "cbw"},
    {GENERAL, EXTEND_A, 2, "cwde"},
    {GENERAL, EXTEND_A, 4, "cdqe"},
    {GENERAL, EXTEND_A_TO_D, 2, "cwd"},
    {GENERAL, EXTEND_A_TO_D, 4, "cdq"},
    {GENERAL, EXTEND_A_TO_D, 8, "cqo"},
    {GENERAL, PUBLIC, A | B | C | D, "cpuid"},
    {GENERAL, PUBLIC, A | D, "xgetbv rdtsc"},
    {GENERAL, PUBLIC, A | C | D, "rdtscp"},
    {GENERAL, PUBLIC_RESULT, 0, "rdrand rdseed rdfsbase rdgsbase rdpid stmxcsr vstmxcsr fnstcw"},
    {GENERAL, SET_CARRY, 0, "stc clc"},
    {GENERAL, SYSTEM_CALL, 0, "syscall"},
    {GENERAL, JUMP_IF_COUNT, 0, "jrcxz jecxz loop"},
    {GENERAL, JUMP_IF_COUNT, ZF, "loope loopne"},
    {GENERAL, STRING_MOVE, 1, "rep movsb"},
    {GENERAL, STRING_MOVE, 2, "rep movsw"},
    {GENERAL, STRING_MOVE, 4, "rep movsd"},
    {GENERAL, STRING_MOVE, 8, "rep movsq"},
    {GENERAL, STRING_STORE, 1, "rep stosb"},
    {GENERAL, STRING_STORE, 2, "rep stosw"},
    {GENERAL, STRING_STORE, 4, "rep stosd"},
    {GENERAL, STRING_STORE, 8, "rep stosq"},
    {GENERAL, STRING_LOAD, 1, "rep lodsb"},
    {GENERAL, STRING_LOAD, 8, "rep lodsq"},
    {GENERAL, STRING_COMPARE, 1, "rep cmpsb"},
    {GENERAL, STRING_COMPARE, 8, "rep cmpsq"},
    {GENERAL, STRING_SCAN, 1, "rep scasb"},
    {GENERAL, STRING_SCAN, 8, "rep scasq"},

    {VECTOR, CARRY, 1,
        "vmovdqu8 vpbroadcastb pinsrb vpinsrb pextrb vpextrb vpmovm2b vpmovb2m pmovmskb vpmovmskb palignr vpalignr punpcklbw vpunpcklbw "
        "punpckhbw vpunpckhbw vpmovwb vpmovdb vpmovqb vpblendmb pslldq vpslldq psrldq vpsrldq"},
    {VECTOR, CARRY, 2,
        "vmovdqu16 vpbroadcastw pinsrw vpinsrw pextrw vpextrw vpmovm2w vpmovw2m pshufhw vpshufhw pshuflw vpshuflw punpcklwd vpunpcklwd "
        "punpckhwd vpunpckhwd vpmovdw vpmovqw pmovzxbw vpmovzxbw pmovsxbw vpmovsxbw pblendw vpblendw vpblendmw vpshldw vpshrdw vmovw"},
    {VECTOR, CARRY, 4,
        "movd vmovd vmovdqa32 vmovdqu32 vpbroadcastd vbroadcastss pinsrd vpinsrd pextrd vpextrd extractps vextractps insertps vinsertps "
        "vpmovm2d vpmovd2m movmskps vmovmskps movss vmovss movaps vmovaps movups vmovups movhlps vmovhlps movlhps vmovlhps movhps vmovhps "
        "movlps vmovlps movntps vmovntps pshufd vpshufd shufps vshufps punpckldq vpunpckldq punpckhdq vpunpckhdq unpcklps vunpcklps unpckhps "
        "vunpckhps vpmovqd pmovzxbd vpmovzxbd pmovzxwd vpmovzxwd pmovsxbd vpmovsxbd pmovsxwd vpmovsxwd blendps vblendps vpblendd vpblendmd "
        "vblendmps vprold vprord valignd vbroadcastf32x2 vbroadcasti32x2 vbroadcastf32x4 vbroadcasti32x4 vbroadcastf32x8 vbroadcasti32x8 "
        "vinsertf32x4 vinserti32x4 vinsertf32x8 vinserti32x8 vextractf32x4 vextracti32x4 vextractf32x8 vextracti32x8 vshuff32x4 vshufi32x4 "
        "movshdup vmovshdup movsldup vmovsldup vpshldd vpshrdd"},
    {VECTOR, CARRY, 8,
        "movq vmovq movdqa vmovdqa movdqu vmovdqu lddqu vlddqu movntdq vmovntdq movntdqa vmovntdqa vmovdqa64 vmovdqu64 vpbroadcastq "
        "vbroadcastsd pinsrq vpinsrq pextrq vpextrq vpmovm2q vpmovq2m movmskpd vmovmskpd movsd vmovsd movapd vmovapd movupd vmovupd movhpd "
        "vmovhpd movlpd vmovlpd movntpd vmovntpd movddup vmovddup shufpd vshufpd punpcklqdq vpunpcklqdq punpckhqdq vpunpckhqdq unpcklpd "
        "vunpcklpd unpckhpd vunpckhpd pmovzxbq vpmovzxbq pmovzxwq vpmovzxwq pmovzxdq vpmovzxdq pmovsxbq vpmovsxbq pmovsxwq vpmovsxwq "
        "pmovsxdq vpmovsxdq blendpd vblendpd vpblendmq vblendmpd vprolq vprorq valignq vbroadcastf64x2 vbroadcasti64x2 vbroadcastf64x4 "
        "vbroadcasti64x4 vbroadcastf128 vbroadcasti128 vinsertf64x2 vinserti64x2 vinsertf64x4 vinserti64x4 vinsertf128 vinserti128 "
        "vextractf64x2 vextracti64x2 vextractf64x4 vextracti64x4 vextractf128 vextracti128 vperm2f128 vperm2i128 vshuff64x2 vshufi64x2 "
        "vpshldq vpshrdq kmovb kmovw kmovd kmovq kunpckbw kunpckwd kunpckdq kshiftlb kshiftlw kshiftld kshiftlq "
        "kshiftrb kshiftrw kshiftrd kshiftrq"},
    {VECTOR, CARRY_BY_LAST, 1, "pshufb vpshufb vpblendvb"},
    {VECTOR, CARRY_BY_LAST, 4, "vpermilps vblendvps"},
    {VECTOR, CARRY_BY_LAST, 8, "vpermilpd vblendvpd"},
    {VECTOR, CARRY_BY_FIRST, 1, "vpermb vpermt2b"},
    {VECTOR, CARRY_BY_FIRST, 2, "vpermw vpermt2w"},
    {VECTOR, CARRY_BY_FIRST, 4, "vpermd vpermps vpermt2d vpermt2ps"},
    {VECTOR, CARRY_BY_FIRST, 8, "vpermq vpermpd vpermt2q vpermt2pd"},
    {VECTOR, CARRY_BY_RESULT, 1, "vpermi2b"},
    {VECTOR, CARRY_BY_RESULT, 2, "vpermi2w"},
    {VECTOR, CARRY_BY_RESULT, 4, "vpermi2d vpermi2ps"},
    {VECTOR, CARRY_BY_RESULT, 8, "vpermi2q vpermi2pd"},
    {VECTOR, SHIFT_BY_LAST, 2, "psllw vpsllw psrlw vpsrlw psraw vpsraw"},
    {VECTOR, SHIFT_BY_LAST, 4, "pslld vpslld psrld vpsrld psrad vpsrad"},
    {VECTOR, SHIFT_BY_LAST, 8, "psllq vpsllq psrlq vpsrlq vpsraq"},
    {VECTOR, BITS, 4, "vpternlogd"},
    {VECTOR, BITS, 8, "vpternlogq"},
    {VECTOR, BITS_AND, 4, "pand vpand vpandd andps vandps"},
    {VECTOR, BITS_AND, 8, "vpandq andpd vandpd"},
    {VECTOR, BITS_AND_NOT, 4, "pandn vpandn vpandnd andnps vandnps"},
    {VECTOR, BITS_AND_NOT, 8, "vpandnq andnpd vandnpd"},
    {VECTOR, BITS_OR, 4, "por vpor vpord orps vorps"},
    {VECTOR, BITS_OR, 8, "vporq orpd vorpd"},
    {VECTOR, BITS_XOR, 4, "pxor vpxor vpxord xorps vxorps"},
    {VECTOR, BITS_XOR, 8, "vpxorq xorpd vxorpd"},

    {VECTOR, ELEMENTS_SAME_IS_CONSTANT, 1, "psubb vpsubb pcmpeqb vpcmpeqb pcmpgtb vpcmpgtb"},
    {VECTOR, ELEMENTS_SAME_IS_CONSTANT, 2, "psubw vpsubw pcmpeqw vpcmpeqw pcmpgtw vpcmpgtw"},
    {VECTOR, ELEMENTS_SAME_IS_CONSTANT, 4, "psubd vpsubd pcmpeqd vpcmpeqd pcmpgtd vpcmpgtd"},
    {VECTOR, ELEMENTS_SAME_IS_CONSTANT, 8, "psubq vpsubq pcmpeqq vpcmpeqq pcmpgtq vpcmpgtq"},
    {VECTOR, ELEMENTS_OF_OTHERS, 1,
        "pabsb vpabsb paddb vpaddb paddsb vpaddsb paddusb vpaddusb vpsubsb vpsubusb pavgb vpavgb vpmaxsb vpmaxub vpminsb vpminub vpcmpb vpcmpub "
        "vptestmb vptestnmb vpopcntb vpsignb vgf2p8mulb"},
    {VECTOR, ELEMENTS_OF_OTHERS, 2,
        "pabsw vpabsw vpaddw vpaddsw vpaddusw vpsubsw vpsubusw vpavgw vpmaxsw vpmaxuw vpminsw vpminuw vpcmpw vpcmpuw vptestmw vptestnmw "
        "vpopcntw vpsignw vpmullw vpmulhw vpmulhuw vpmulhrsw vpmaddubsw vpsllvw vpsrlvw vpsravw"},
    {VECTOR, ELEMENTS_OF_OTHERS, 4,
        "pabsd vpabsd vpaddd vpmaxsd vpmaxud vpminsd vpminud vpcmpd vpcmpud vptestmd vptestnmd vpopcntd vpsignd vpmulld vpmaddwd vpsllvd "
        "vpsrlvd vpsravd vprolvd vprorvd vplzcntd"},
    {VECTOR, ELEMENTS_OF_OTHERS, 8,
        "vpabsq vpaddq vpmaxsq vpmaxuq vpminsq vpminuq vpcmpq vpcmpuq vptestmq vptestnmq vpopcntq vpmullq vpmuludq vpmuldq vpsllvq vpsrlvq "
        "vpsravq vprolvq vprorvq vplzcntq vpsadbw vgf2p8affineqb vgf2p8affineinvqb vpmultishiftqb"},
    {VECTOR, ELEMENTS_OF_OTHERS, 16,
        "vaesenc vaesenclast vaesdec vaesdeclast vaesimc aesimc aeskeygenassist vaeskeygenassist vpclmulqdq vpacksswb vpackssdw vpackuswb "
        "vpackusdw vphaddw vphaddd vphsubw vphsubd vsm4key4 vsm4rnds4"},
    {VECTOR, ELEMENTS, 1, "paddb paddsb paddusb psubsb psubusb pavgb pmaxsb pmaxub pminsb pminub psignb gf2p8mulb"},
    {VECTOR, ELEMENTS, 2,
        "paddw paddsw paddusw psubsw psubusw pavgw pmaxsw pmaxuw pminsw pminuw psignw pmullw pmulhw pmulhuw pmulhrsw pmaddubsw vpshldvw vpshrdvw"},
    {VECTOR, ELEMENTS, 4, "paddd pmaxsd pmaxud pminsd pminud psignd pmulld pmaddwd vpshldvd vpshrdvd vpdpbusd vpdpwssd"},
    {VECTOR, ELEMENTS, 8, "paddq pmuludq pmuldq psadbw gf2p8affineqb gf2p8affineinvqb vpmadd52luq vpmadd52huq vpshldvq vpshrdvq"},
    {VECTOR, ELEMENTS, 16,
        "aesenc aesenclast aesdec aesdeclast pclmulqdq packsswb packssdw packuswb packusdw phaddw phaddd phsubw phsubd sha1msg1 sha1msg2 "
        "sha1nexte sha1rnds4 sha256msg1 sha256msg2 vsm3msg1 vsm3msg2 vsm3rnds2"},
    {VECTOR, WITH_XMM0, 16, "sha256rnds2 pblendvb blendvps blendvpd"},
    {VECTOR, TEST_VECTOR, 0, "ptest vptest"},

    {VECTOR, MASK_NOT, 1, "knotb"},
    {VECTOR, MASK_NOT, 2, "knotw"},
    {VECTOR, MASK_NOT, 4, "knotd"},
    {VECTOR, MASK_NOT, 8, "knotq"},
    {VECTOR, MASK_AND, 1, "kandb"},
    {VECTOR, MASK_AND, 2, "kandw"},
    {VECTOR, MASK_AND, 4, "kandd"},
    {VECTOR, MASK_AND, 8, "kandq"},
    {VECTOR, MASK_AND_NOT, 1, "kandnb"},
    {VECTOR, MASK_AND_NOT, 2, "kandnw"},
    {VECTOR, MASK_AND_NOT, 4, "kandnd"},
    {VECTOR, MASK_AND_NOT, 8, "kandnq"},
    {VECTOR, MASK_OR, 1, "korb"},
    {VECTOR, MASK_OR, 2, "korw"},
    {VECTOR, MASK_OR, 4, "kord"},
    {VECTOR, MASK_OR, 8, "korq"},
    {VECTOR, MASK_XOR, 1, "kxorb kxnorb"},
    {VECTOR, MASK_XOR, 2, "kxorw kxnorw"},
    {VECTOR, MASK_XOR, 4, "kxord kxnord"},
    {VECTOR, MASK_XOR, 8, "kxorq kxnorq"},
    {VECTOR, MASK_ADD, 1, "kaddb"},
    {VECTOR, MASK_ADD, 2, "kaddw"},
    {VECTOR, MASK_ADD, 4, "kaddd"},
    {VECTOR, MASK_ADD, 8, "kaddq"},
    {VECTOR, MASK_TEST, 1, "kortestb ktestb"},
    {VECTOR, MASK_TEST, 2, "kortestw ktestw"},
    {VECTOR, MASK_TEST, 4, "kortestd ktestd"},
    {VECTOR, MASK_TEST, 8, "kortestq ktestq"},

    {VECTOR, GATHER, 0, "vgatherdd vgatherdq vgatherqd vgatherqq vgatherdps vgatherdpd vgatherqps vgatherqpd"},
    {VECTOR, SCATTER, 0, "vscatterdd vscatterdq vscatterqd vscatterqq vscatterdps vscatterdpd vscatterqps vscatterqpd"},
    {VECTOR, MASKED_MOVE, 0, "vmaskmovd vmaskmovps vmaskmovq vmaskmovpd"},
    {VECTOR, CLEAR_UPPER, 0, "vzeroupper"},
    {VECTOR, CLEAR_VECTORS, 0, "vzeroall"},
    {VECTOR, FLOATING, 4,
        "addss vaddss subss vsubss mulss vmulss divss vdivss sqrtss vsqrtss minss vminss maxss vmaxss ucomiss vucomiss comiss vcomiss cvtsi2ss "
        "vcvtsi2ss vcvtusi2ss cvtss2si vcvtss2si cvttss2si vcvttss2si vcvttss2usi cvtss2sd vcvtss2sd cmpss vcmpss"},
    {VECTOR, FLOATING, 8,
        "addsd vaddsd subsd vsubsd mulsd vmulsd divsd vdivsd sqrtsd vsqrtsd minsd vminsd maxsd vmaxsd ucomisd vucomisd comisd vcomisd cvtsi2sd "
        "vcvtsi2sd vcvtusi2sd cvtsd2si vcvtsd2si cvttsd2si vcvttsd2si vcvttsd2usi vcvtsd2usi cvtsd2ss vcvtsd2ss cmpsd vcmpsd roundsd vroundsd "
        "vrndscalesd vfmadd132sd vfmadd213sd vfmadd231sd vfnmadd132sd vfnmadd213sd vfnmadd231sd"},
    {VECTOR, FLOATING, 16,
        "addps vaddps addpd vaddpd subps vsubps subpd vsubpd mulps vmulps mulpd vmulpd divps vdivps divpd vdivpd sqrtps sqrtpd minpd vminpd "
        "maxpd vmaxpd cmppd vcmppd cmpps vcmpps cvtdq2ps vcvtdq2ps cvtdq2pd vcvtdq2pd vcvtuqq2pd vcvtqq2pd vcvtudq2pd haddpd vhaddpd"},
};

struct Condition {
    const char *name;
    unsigned flags;
};

const Condition conditions[] = {
    {"o", OF}, {"no", OF | OPPOSITE}, {"b", CF}, {"nb", CF | OPPOSITE}, {"z", ZF}, {"nz", ZF | OPPOSITE}, {"be", CF | ZF},
    {"nbe", CF | ZF | OPPOSITE}, {"s", SF}, {"ns", SF | OPPOSITE}, {"p", PF}, {"np", PF | OPPOSITE}, {"l", SF | OF},
    {"nl", SF | OF | OPPOSITE}, {"le", ZF | SF | OF}, {"nle", ZF | SF | OF | OPPOSITE},
};

} // namespace

void make_rules()
{
    std::map<std::string, Rule> by_name;
    for (const Group &group : groups) {
        Rule rule = {group.kind, (Bit8u)group.what, (Bit8u)group.element, false};
        std::string names = std::string(group.names) + " ";
        for (size_t from = 0, to; (to = names.find(' ', from)) != std::string::npos; from = to + 1) {
            if (names.compare(from, 4, "rep ") == 0) to = names.find(' ', from + 4);
            by_name[names.substr(from, to - from)] = rule;
        }
    }
    for (const Condition &condition : conditions) {
        by_name[std::string("j") + condition.name] = {GENERAL, JUMP_IF, (Bit8u)condition.flags, false};
        by_name[std::string("cmov") + condition.name] = {GENERAL, MOVE_IF, (Bit8u)condition.flags, false};
        by_name[std::string("set") + condition.name] = {GENERAL, SET_IF, (Bit8u)condition.flags, false};
    }
    for (unsigned opcode = 0; opcode < BX_IA_LAST; opcode++) {
        if (opcode == BX_INSERTED_OPCODE) { // an end that Bochs adds to a piece of code
            rules[opcode].kind = NOTHING;
            continue;
        }
        std::string name = get_intel_disasm_opcode_name(opcode);
        if (strncmp(get_bx_opcode_name(opcode), "BX_IA_REP_", 10) == 0) name = "rep " + name;
        auto found = by_name.find(name);
        if (found != by_name.end()) rules[opcode] = found->second;
        // Segment, control and MMX registers have no marks.
        bool has_general_rule = rules[opcode].kind == GENERAL;
        for (unsigned n = 0; n < 4; n++) {
            unsigned source = BxOpcodesTable[opcode].src[n], from = BX_DISASM_SRC_ORIGIN(source), type = BX_DISASM_SRC_TYPE(source);
            bool is_register = from != BX_SRC_IMM && from != BX_SRC_IMPLICIT && from != BX_SRC_VECTOR_RM && from != BX_SRC_VSIB && from != BX_SRC_BRANCH_OFFSET;
            rules[opcode].memory |= from == BX_SRC_RM || from == BX_SRC_VECTOR_RM || from == BX_SRC_VSIB;
            if (is_register && (type == BX_SEGREG || type == BX_CREG || type == BX_DREG || type == BX_TMM_REG)) rules[opcode].kind = UNKNOWN;
            if (is_register && (type == BX_MMX_REG || type == BX_MMX_HALF_REG)) rules[opcode].kind = UNKNOWN;
            if (has_general_rule && from == BX_SRC_IMM && type >= BX_DIRECT_PTR) rules[opcode].kind = UNKNOWN;
        }
    }
}

} // namespace secrets
